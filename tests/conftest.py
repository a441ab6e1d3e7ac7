"""Settings that all tests share."""

from collections.abc import Callable

import pytest
from hypothesis import settings

from flip7.cli import main

# A slow or busy machine is no fault of the code: examples may take their time.
settings.register_profile("flip7", deadline=None)
settings.load_profile("flip7")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs the command here; returns exit status, output and errors."""

    def run_(*words: str) -> tuple[int, str, str]:
        try:
            status: int | str | None = main(words)
        except SystemExit as leaving:
            status = leaving.code
        output = capsys.readouterr()
        assert isinstance(status, int)
        assert "Traceback" not in output.err
        return status, output.out, output.err

    return run_
