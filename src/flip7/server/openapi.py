"""What may go wrong with a request, for the description of the REST interface."""

from __future__ import annotations

from litestar.openapi import ResponseSpec

from flip7.protocol.messages import Problem


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """The answers that refuse a request: those that every request may get, and these."""
    return {
        status: ResponseSpec(Problem, generate_examples=False, description="Refused; the body says why.")
        for status in (400, 403, 413, 429, 503, *statuses)
    }
