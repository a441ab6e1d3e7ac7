"""Numbers about the running server, in the text format that Prometheus reads."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Counter:
    """Something that is counted, under labels."""

    def __init__(self, name: str, help: str, label: str = "") -> None:
        self.name, self.help, self.label = name, help, label
        self._values: dict[str, int] = {} if label else {"": 0}

    def add(self, value: str = "", count: int = 1) -> None:
        """Count `count` more, under a value of the label."""
        self._values[value] = self._values.get(value, 0) + count

    def lines(self) -> list[str]:
        """The samples."""
        return [
            f'{self.name}{{{self.label}="{value}"}} {count}' if self.label else f"{self.name} {count}"
            for value, count in sorted(self._values.items())
        ]


class Histogram:
    """Durations in seconds."""

    def __init__(self, name: str, help: str) -> None:
        self.name, self.help = name, help
        self._counts = [0] * (len(BOUNDS) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        """Note one duration."""
        self._counts[bisect_left(BOUNDS, seconds)] += 1
        self._sum += seconds

    def lines(self) -> list[str]:
        """The samples."""
        lines, total = [], 0
        for bound, count in zip((*BOUNDS, "+Inf"), self._counts, strict=True):
            total += count
            lines.append(f'{self.name}_bucket{{le="{bound}"}} {total}')
        return [*lines, f"{self.name}_sum {self._sum:.6f}", f"{self.name}_count {total}"]


class Metrics:
    """Everything that the server counts."""

    def __init__(self) -> None:
        self.choices = Counter("flip7_choices_total", "Choices taken, by who made them.", "by")
        self.games = Counter("flip7_games_total", "Games, by what became of them.", "state")
        self.refusals = Counter("flip7_refusals_total", "Messages and requests refused, by code.", "code")
        self.closed = Counter("flip7_closed_total", "Connections closed by the server, by reason.", "code")
        self.sent = Counter("flip7_messages_sent_total", "Messages queued for connections.")
        self.errors = Counter("flip7_errors_total", "Errors that nobody expected.")
        self.latency = Histogram(
            "flip7_choice_seconds", "From the arrival of a choice to its broadcast, commit included."
        )
        self._gauges: list[tuple[str, str, Callable[[], float]]] = []

    def gauge(self, name: str, help: str, read: Callable[[], float]) -> None:
        """Show a number that is read when somebody asks."""
        self._gauges.append((name, help, read))

    def text(self) -> str:
        """All of them, as Prometheus reads it."""
        lines: list[str] = []
        counters = (self.choices, self.games, self.refusals, self.closed, self.sent, self.errors)
        for counter in counters:
            lines += [f"# HELP {counter.name} {counter.help}", f"# TYPE {counter.name} counter", *counter.lines()]
        latency = self.latency
        lines += [f"# HELP {latency.name} {latency.help}", f"# TYPE {latency.name} histogram", *latency.lines()]
        for name, help, read in self._gauges:
            lines += [f"# HELP {name} {help}", f"# TYPE {name} gauge", f"{name} {read():g}"]
        return "\n".join(lines) + "\n"
