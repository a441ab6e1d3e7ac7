"""Numbers about the running server, for Prometheus."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Everything that one server counts; where there are several, Prometheus asks each."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry(auto_describe=True)
        self.choices = Counter("flip7_choices", "Choices taken, by who made them.", ["by"], registry=registry)
        self.games = Counter("flip7_games", "Games, by what became of them.", ["state"], registry=registry)
        self.refusals = Counter(
            "flip7_refusals", "Messages and requests refused, by code.", ["code"], registry=registry
        )
        self.closed = Counter(
            "flip7_closed", "Connections closed by the server, by reason.", ["code"], registry=registry
        )
        self.sent = Counter("flip7_messages_sent", "Messages queued for connections.", registry=registry)
        self.errors = Counter("flip7_errors", "Errors that nobody expected.", registry=registry)
        self.alarms = Counter("flip7_alarms", "Damage that was found in what is saved.", registry=registry)
        self.latency = Histogram(
            "flip7_choice_seconds",
            "From the arrival of a choice to its broadcast, commit included.",
            buckets=BOUNDS,
            registry=registry,
        )

    def gauge(self, name: str, help: str, read: Callable[[], float]) -> None:
        """Show a number that is read when Prometheus asks."""
        Gauge(name, help, registry=self._registry).set_function(read)

    def text(self) -> str:
        """Return all of them, as Prometheus reads it."""
        return generate_latest(self._registry).decode()
