"""What to do when a package is missing that an extra of this one brings."""

from __future__ import annotations


def advice(extra: str) -> str:
    """Return the command that installs an extra for the Python that runs now.

    A package that came from a folder is installed from there again, so that it works before anything is published.
    """
    import json
    import shlex
    import shutil
    import sys
    from importlib.metadata import PackageNotFoundError, distribution
    from pathlib import Path
    from urllib.parse import unquote, urlsplit

    source, option = "flip7", ""
    try:
        origin = json.loads(distribution("flip7").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        origin = {}
    url = str(origin.get("url", ""))
    if url.startswith("file://"):
        source = unquote(urlsplit(url).path)
        if origin.get("dir_info", {}).get("editable"):
            option = "-e "
    pip = shutil.which("pip")
    here = Path(sys.executable).parent
    command = "pip" if pip and Path(pip).parent == here else f"{shlex.quote(sys.executable)} -m pip"
    return f'{command} install {option}"{source}[{extra}]"'


def missing(what: str, package: str | None, extra: str) -> str:
    """Return a sentence: what needs the package, and how to get it."""
    return f"{what} needs the package {package!r}: {advice(extra)}"
