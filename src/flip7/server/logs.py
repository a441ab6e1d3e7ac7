"""Structured logs: one JSON object a line, on standard error."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

LOG = logging.getLogger("flip7.server")
_PLAIN = logging.LogRecord("", 0, "", 0, "", None, None).__dict__.keys() | {"message", "asctime", "color_message"}


class JsonLines(logging.Formatter):
    """Time, level, what happened, and whatever else the record carries."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        line |= {key: value for key, value in record.__dict__.items() if key not in _PLAIN}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)


def is_ours(record: logging.LogRecord) -> bool:
    """Return whether a record tells of the server, and not of a visitor who sends text that is no UTF-8.

    Their connection ends with the code for it; a traceback for each would let anybody fill the log.
    """
    return not (record.name == "uvicorn.error" and record.exc_info and isinstance(record.exc_info[1], UnicodeError))


def set_up(level: str) -> None:
    """Send the server's logs, and uvicorn's warnings, to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(is_ours)
    for name, at in (("flip7.server", level.upper()), ("uvicorn", "WARNING")):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(at)
