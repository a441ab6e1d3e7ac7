"""Results for other programs: JSON and CSV."""

from __future__ import annotations

import csv
import io

import msgspec

from flip7.sim.results import RoundsResult, SimResult
from flip7.sim.studies import Pairs, Sweep

Result = SimResult | RoundsResult | Sweep | Pairs


def to_json(result: Result) -> str:
    """Return everything that a result has, under the names of its attributes."""
    fields = msgspec.structs.asdict(result)
    if isinstance(result, SimResult):
        fields |= {"half_widths": result.half_widths, "games_per_second": result.games_per_second}
    elif isinstance(result, RoundsResult):
        fields["rounds_per_second"] = result.rounds_per_second
    return msgspec.json.encode(fields).decode()


def to_csv(result: Result) -> str:
    """Return one row for each entry, in the order in which they were given."""
    text = io.StringIO()
    rows = csv.DictWriter(text, list(_rows(result)[0]), lineterminator="\n")
    rows.writeheader()
    rows.writerows(_rows(result))
    return text.getvalue()


def _rows(result: Result) -> list[dict[str, object]]:
    if isinstance(result, Sweep):
        return [
            {
                "value": value,
                "strategy": _safe(result.strategies[step]),
                "players": len(result.opponents[step]) + 1,
                "games": result.games,
                "win_rate": result.win_rates[step],
                "win_low": result.win_intervals[step][0],
                "win_high": result.win_intervals[step][1],
                "mean_points": result.mean_points[step],
                "seed": result.seed,
            }
            for step, value in enumerate(result.values)
        ]
    if isinstance(result, Pairs):
        size = range(len(result.strategies))
        met = [(one, other) for one in size for other in size if result.win_rates[one][other] is not None]
        return [
            {
                "strategy": _safe(result.strategies[one]),
                "against": _safe(result.strategies[other]),
                "games": result.games,
                "win_rate": result.win_rates[one][other],
                "difference": result.differences[one][other],
                "difference_low": (result.difference_intervals[one][other] or (None,))[0],
                "difference_high": (result.difference_intervals[one][other] or (None,))[-1],
                "seed": result.seed,
            }
            for one, other in met
        ]
    if isinstance(result, RoundsResult):
        return [
            {
                "strategy": _safe(result.strategy),
                "rounds": result.rounds,
                "mean": result.mean,
                "mean_low": result.mean_interval[0],
                "mean_high": result.mean_interval[1],
                "deviation": result.deviation,
                "bust": result.bust,
                "bust_low": result.bust_interval[0],
                "bust_high": result.bust_interval[1],
                "flip7": result.flip7,
                "flip7_low": result.flip7_interval[0],
                "flip7_high": result.flip7_interval[1],
                "seed": result.seed,
            }
        ]
    return [
        {
            "entry": entry + 1,
            "strategy": _safe(strategy),
            "games": result.games,
            "wins": result.wins[entry],
            "win_rate": result.win_rates[entry],
            "win_low": result.win_intervals[entry][0],
            "win_high": result.win_intervals[entry][1],
            "mean_points": result.mean_points[entry],
            "mean_points_low": result.mean_points_intervals[entry][0],
            "mean_points_high": result.mean_points_intervals[entry][1],
            "bust_rate": result.bust_rates[entry],
            "flip7_rate": result.flip7_rates[entry],
            "rounds_to_win": result.rounds_to_win[entry],
            "seed": result.seed,
        }
        for entry, strategy in enumerate(result.strategies)
    ]


def _safe(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
