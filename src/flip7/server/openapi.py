"""The description of the REST interface: what may go wrong with a request, and that bodies have no other fields."""

from __future__ import annotations

from litestar import Litestar
from litestar.openapi import ResponseSpec

from flip7.protocol.rest import Problem


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """The answers that refuse a request: those that every request may get, and these."""
    return {
        status: ResponseSpec(Problem, generate_examples=False, description="Refused; the body says why.")
        for status in (400, 403, 413, 421, 429, 503, *statuses)
    }


def close_schemas(app: Litestar) -> None:
    """Say in the description that no body has fields besides those that are named."""
    for schema in app.openapi_schema.components.schemas.values():
        if schema.properties is not None:
            schema.additional_properties = False
