"""A result as one page of HTML that needs nothing else: table, plots, and how it was run."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from html import escape

import flip7
from flip7.sim.export import Result
from flip7.sim.plots import inline
from flip7.sim.results import RoundsResult, SimResult
from flip7.sim.studies import Pairs, Sweep

STYLE = """
:root { color-scheme: light dark; --back: #fff; --ink: #1b1f24; --dim: #59636e; --line: #d5dae0; --lead: #0b6e63; }
@media (prefers-color-scheme: dark) {
  :root { --back: #14171a; --ink: #e6e9ec; --dim: #9aa4ae; --line: #333a41; --lead: #4fc3b3; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 60rem; background: var(--back); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.2; }
h2 { margin: 2.2rem 0 .6rem; font-size: 1.15rem; }
.lead { margin: .4rem 0 0; font-size: 1.1rem; color: var(--lead); }
.dim { color: var(--dim); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .4rem .6rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th { font-weight: 600; color: var(--dim); white-space: normal; vertical-align: bottom; }
th.name, td.name { text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 7rem; }
figure { margin: 1.5rem 0; }
figure svg { width: 100%; height: auto; max-width: 38rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem; margin: 0; }
dt { color: var(--dim); }
dd { margin: 0; overflow-wrap: anywhere; }
code { font: .92em ui-monospace, monospace; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
"""


def page(result: Result, settings: Mapping[str, str], *, by_seat: bool = False) -> str:
    """Return the whole page. `settings` say how the simulation was made; everything in them is shown as plain text.

    `by_seat` tells also how often each wins from each seat.
    """
    games = not isinstance(result, RoundsResult)
    title, lead, table = _told(result)
    if by_seat and isinstance(result, SimResult):
        table += f'\n</div>\n<h2>Wins from each seat</h2>\n<div class="scroll">\n{_seats(result)}'
    pictures = "\n".join(f"<figure>{picture}</figure>" for picture in inline(result))
    speed = ""
    if isinstance(result, SimResult):
        speed = f", {result.games_per_second:,.0f} games a second"
    elif isinstance(result, RoundsResult):
        speed = f", {result.rounds_per_second:,.0f} rounds a second"
    how = {
        **settings,
        "seed": str(result.seed),
        "engine": f"{result.engine}, {result.workers} worker{'' if result.workers == 1 else 's'}",
        "time": f"{result.seconds:.2f} s{speed}",
        "made": f"{datetime.date.today():%Y-%m-%d}, flip7 {flip7.__version__}",
    }
    rows = "\n".join(f"<dt>{escape(name)}</dt><dd>{_value(name, value)}</dd>" for name, value in how.items())
    seats = (
        "Win rates come from balanced seatings: every strategy sits equally often in every seat, with the same luck. "
        if games
        else ""
    )
    return f"""{page_start(title, lead)}
<h2>Result</h2>
<div class="scroll">
{table}
</div>
<p class="dim">{seats}Intervals hold the true figure with 95 % confidence.</p>
<h2>Plots</h2>
{pictures}
<h2>How it was made</h2>
<dl>
{rows}
</dl>
</body>
</html>
"""


def page_start(title: str, lead: str, more: str = "") -> str:
    """Return how a page begins, up to its title and first sentence; `more` is added to its style."""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{escape(title)}</title>
<style>{STYLE}{more}</style>
</head>
<body>
<h1>{escape(title)}</h1>
<p class="lead">{escape(lead)}</p>"""


def _value(name: str, value: str) -> str:
    return f"<code>{escape(value)}</code>" if name == "command" else escape(value)


def _told(result: Result) -> tuple[str, str, str]:
    """Return title, first sentence and table."""
    if isinstance(result, SimResult):
        return _games(result)
    if isinstance(result, RoundsResult):
        return _rounds(result)
    return _sweep(result) if isinstance(result, Sweep) else _pairs(result)


def _sweep(result: Sweep) -> tuple[str, str, str]:
    rows = []
    for step, name in enumerate(result.strategies):
        low, high = (100 * end for end in result.win_intervals[step])
        rate = f"{100 * result.win_rates[step]:.2f} %"
        rows.append([name, str(len(result.opponents[step]) + 1), rate, f"{low:.2f} – {high:.2f}"])
    lead = f"{result.games:,} games for each step, all with the same luck."
    if result.best is not None and result.interval is not None:
        low, high = result.interval
        best = f"{result.strategies[result.best]} won {100 * result.win_rates[result.best]:.2f} % of its games"
        rest = "every other step won less often" if low == high else f"from {low:g} to {high:g} it may be best"
        lead = f"{best}; {rest}. {lead}"
    title = f"{result.subject} among {', '.join(result.others)}" if result.by_players else result.sweep
    return f"Flip 7: {title}", lead, _table(["strategy", "players", "wins", "95 % interval"], rows)


def _pairs(result: Pairs) -> tuple[str, str, str]:
    names = [result.strategies[entry] for entry in result.order]
    rows = [[name, *result.cells(entry)] for entry, name in zip(result.order, names, strict=True)]
    head = ["strategy", "wins", *names]
    lead = f"{names[0]} does best, two at a table, {result.games:,} games for each pair."
    return "Flip 7: everyone against everyone", lead, _table(head, rows)


def _games(result: SimResult) -> tuple[str, str, str]:
    """Return title, first sentence and table of whole games."""
    order = sorted(range(len(result.strategies)), key=lambda entry: -result.wins[entry])
    best = order[0]
    low, high = (100 * end for end in result.win_intervals[best])
    names = list(dict.fromkeys(result.strategies))
    title = f"Flip 7: {', '.join(names)}" if len(names) <= 6 else f"Flip 7: {len(result.strategies)} strategies"
    lead = (
        f"{result.strategies[best]} won {100 * result.win_rates[best]:.2f} % of {result.games:,} games "
        f"({low:.2f} to {high:.2f} %)."
    )
    rows = []
    for entry in order:
        low, high = (100 * end for end in result.win_intervals[entry])
        to_win = result.rounds_to_win[entry]
        rows.append(
            [
                result.strategies[entry],
                f"{100 * result.win_rates[entry]:.2f} %",
                f"{low:.2f} – {high:.2f}",
                f"{result.mean_points[entry]:.2f}",
                f"{100 * result.bust_rates[entry]:.1f} %",
                f"{100 * result.flip7_rates[entry]:.2f} %",
                "–" if to_win is None else f"{to_win:.2f}",
            ]
        )
    head = ["strategy", "wins", "95 % interval", "points a round", "busts", "Flip 7", "rounds to win"]
    return title, lead, _table(head, rows)


def _seats(result: SimResult) -> str:
    """Return the table of wins from each seat; the dealer of the first round has seat 0."""
    order = sorted(range(len(result.strategies)), key=lambda entry: -result.wins[entry])
    rows = [
        [result.strategies[entry], *(f"{100 * rate:.2f} %" for rate in result.seat_win_rates[entry])] for entry in order
    ]
    return _table(["strategy", *(f"seat {seat}" for seat in range(len(order)))], rows)


def _rounds(result: RoundsResult) -> tuple[str, str, str]:
    """Return title, first sentence and table of one player's rounds."""
    rows = []
    figures = (
        ("points a round", result.mean, result.mean_interval, 1, ""),
        ("busts", result.bust, result.bust_interval, 100, " %"),
        ("Flip 7", result.flip7, result.flip7_interval, 100, " %"),
    )
    for name, figure, (low, high), factor, unit in figures:
        rows.append([name, f"{factor * figure:.4f}{unit}", f"{factor * low:.4f} – {factor * high:.4f}"])
    lead = f"{result.mean:.2f} points a round, over {result.rounds:,} rounds alone."
    return f"Flip 7: rounds of {result.strategy}", lead, _table(["", "", "95 % interval"], rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["<table>", _row(head, "th"), *(_row(row, "td") for row in rows), "</table>"]
    return "\n".join(lines)


def _row(cells: Sequence[str], tag: str) -> str:
    first, *rest = (escape(cell) for cell in cells)
    return f'<tr><{tag} class="name">{first}</{tag}>{"".join(f"<{tag}>{cell}</{tag}>" for cell in rest)}</tr>'
