"""Make `.venv` and install the project into it, from the locked requirements; quick when nothing changed.

Needs nothing but Python's standard library. `python3 tools/setup.py` installs everything that development needs,
`--play` only what playing needs, `--browser` also the Chromium that the browser tests drive.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - this very script is what an older Python meets first
    sys.exit(
        "flip7 needs Python 3.11 or newer, and this is Python {}.{} ({}).\n"
        "Install a newer one and name it: make PYTHON=python3.12 ...".format(*sys.version_info[:2], sys.executable)
    )

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "flip7-setup.json"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
PACKAGE = ROOT / "src" / "flip7" / "__init__.py"
LOCKS = {"play": ROOT / "requirements" / "play.txt", "dev": ROOT / "requirements" / "dev.txt"}
NODE_LOCK = ROOT / "requirements" / "node.txt"
CLIENT = ROOT / "hatch_build.py"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class SetupError(Exception):
    """The set-up cannot go on; the message says why and what would help."""


def say(text: str) -> None:
    print(f"setup: {text}", file=sys.stderr, flush=True)


def run(*command: str | Path) -> None:
    """Run a command quietly; when it fails, show what it printed."""
    done = subprocess.run([str(part) for part in command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.stderr.write(done.stdout.decode(errors="replace"))
        raise SetupError(f"'{' '.join(str(part) for part in command)}' failed with status {done.returncode}")


def fingerprint(wanted: str) -> str:
    """A hash of everything that decides what is in `.venv`."""
    digest = hashlib.sha256(f"{sys.version_info[:2]} {VENV} {wanted}".encode())
    for path in (LOCKS[wanted], NODE_LOCK, ROOT / "pyproject.toml", CLIENT, Path(__file__)):
        digest.update(path.read_bytes())
    # The installed metadata holds the version.
    digest.update(repr(re.findall(r"^__version__.*", PACKAGE.read_text(), re.M)).encode())
    return digest.hexdigest()


def installed() -> dict[str, str]:
    """What the last set-up left behind: which set, and its fingerprint."""
    try:
        stamp = json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) and PYTHON.exists() else {}


def is_current(wanted: str) -> bool:
    stamp = installed()
    # The development set holds everything that the playing set holds.
    return any(stamp.get("set") == name and stamp.get("hash") == fingerprint(name) for name in {wanted, "dev"})


def make_venv(uv: str | None) -> None:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    if PYTHON.exists():
        asked = subprocess.run([PYTHON, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], capture_output=True)
        if asked.stdout.decode().strip() == version:
            return
    if VENV.exists():
        say("the present .venv belongs to another Python: making it anew")
        shutil.rmtree(VENV)
    try:
        if uv:
            run(uv, "venv", "--quiet", "--python", sys.executable, VENV)
        else:
            run(sys.executable, "-m", "venv", VENV)
    except SetupError as error:
        raise SetupError(
            f"{error}\nThis Python cannot make virtual environments; on Debian and Ubuntu: apt install python3-venv"
        ) from None


def locked_block(lock: Path, package: str) -> str:
    """The lines of a lock file that pin one package."""
    lines: list[str] = []
    for line in lock.read_text().splitlines():
        if line.startswith(f"{package}=="):
            lines = [line]
        elif lines and line.startswith(" "):
            lines.append(line)
        elif lines:
            break
    return "\n".join(lines) + "\n"


def find_uv(lock: Path) -> str | None:
    """uv from the environment, or installed into it; None where it cannot be had and pip has to do."""
    inside = BIN / ("uv.exe" if os.name == "nt" else "uv")
    if inside.exists():
        return str(inside)
    with tempfile.TemporaryDirectory() as folder:
        pinned = Path(folder) / "uv.txt"
        pinned.write_text(locked_block(lock, "uv"))
        try:
            run(PYTHON, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", pinned)
        except SetupError:
            say("uv cannot be installed here; pip does it, slower")
            return None
    return str(inside)


def install(wanted: str) -> None:
    lock = LOCKS[wanted]
    started = time.monotonic()
    say(f"installing what {'playing' if wanted == 'play' else 'development'} needs into .venv")
    STAMP.unlink(missing_ok=True)
    uv = shutil.which("uv")
    make_venv(uv)
    uv = uv or find_uv(lock)
    if uv:
        pip: list[str | Path] = [uv, "pip", "install", "--quiet", "--python", PYTHON]
        run(uv, "pip", "sync", "--quiet", "--python", PYTHON, "--require-hashes", lock)
    else:
        pip = [PYTHON, "-m", "pip", "install", "--quiet"]
        run(*pip, "--require-hashes", "-r", lock)
    if has_client():
        if subprocess.run([PYTHON, CLIENT, "--has-node"]).returncode:
            run(*pip, "--require-hashes", "-r", NODE_LOCK)
        build_client()
    run(*pip, "--no-deps", "--no-build-isolation", "--editable", ROOT)
    STAMP.write_text(json.dumps({"set": wanted, "hash": fingerprint(wanted)}) + "\n")
    say(f"done in {time.monotonic() - started:.0f} s")


def has_client() -> bool:
    return (ROOT / "web" / "package.json").exists()


def build_client() -> None:
    """Build the browser client if it is out of date; the script says so itself."""
    if subprocess.run([PYTHON, CLIENT], cwd=ROOT).returncode:
        raise SetupError("no browser client, see above")


def install_browser() -> None:
    """Chromium for the browser tests, where there is none; where that needs other rights, only say so."""
    if os.environ.get("FLIP7_BROWSER") or any(shutil.which(name) for name in BROWSERS):
        return
    apt = shutil.which("apt-get")
    if not apt or os.name == "nt" or os.geteuid() != 0:
        say("no Chromium here: install it (Debian: 'sudo apt-get install chromium') or point FLIP7_BROWSER to one")
        return
    say("installing Chromium for the browser tests")
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    run(apt, "update", "--quiet")
    run(apt, "install", "--quiet", "--yes", "--no-install-recommends", "chromium")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--play", action="store_true", help="install only what playing needs")
    parser.add_argument("--browser", action="store_true", help="also make sure that there is a Chromium")
    options = parser.parse_args()
    wanted = "play" if options.play else "dev"
    try:
        if not is_current(wanted):
            install(wanted)
        elif has_client():
            build_client()
        if options.browser:
            install_browser()
    except SetupError as error:
        say(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
