"""What the documentation takes from the program when it is built: colours, type, logo, and the list of public names.

MkDocs calls the functions that start with `on_`.
"""

from __future__ import annotations

import base64
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import flip7

ROOT = Path(__file__).resolve().parent.parent
STYLES = ROOT / "web" / "src" / "app.css"
LOGO = ROOT / "web" / "public" / "icon.svg"
FONTS = (ROOT / "src" / "flip7" / "server" / "static" / "assets", ROOT / "web" / "node_modules")
DARK = "slate"
"""What the theme calls its dark scheme."""

LONG = 19  # characters of code that are not kept on one line in a table

ROOMS = {
    "game": "Games",
    "rules": "Cards",
    "strategy": "Strategies",
    "sim": "Simulations",
    "scorekeeper": "Keeping score",
}
"""The rooms whose names are public, in the order of the reference, with their headings."""


def identity(inline: bool = False) -> str:
    """Return the client's colours and type as a style sheet; with `inline` the fonts are in it."""
    text = re.sub(r"/\*.*?\*/", "", STYLES.read_text(encoding="utf-8"), flags=re.S)
    blocks = re.findall(r"^(@font-face|:root[^{]*?)\s*\{(.*?)^\}", text, re.M | re.S)
    sheet = []
    for selector, body in blocks:
        if selector == "@font-face":
            sheet.append(_font_face(body, inline))
        elif "--" in body:
            scheme = f"[data-md-color-scheme='{DARK}']" if "dark" in selector else ":root"
            sheet.append(f"{scheme} {{{body}}}\n")
    return "".join(sheet)


def _font_face(body: str, inline: bool) -> str:
    name = _font_name(body)
    path = font(name)
    if path is None:
        return ""
    place = f"{name}.woff2"
    if inline:
        place = f"data:font/woff2;base64,{base64.b64encode(path.read_bytes()).decode()}"
    return "@font-face {" + re.sub(r"url\([^)]*\)", f"url({place})", body) + "}\n"


def _font_name(body: str) -> str:
    found = re.search(r"([\w-]+)\.woff2", body)
    assert found, body
    return found[1]


def font(name: str) -> Path | None:
    """Return where a font of the client is: in the built client, or among what it is built from."""
    for folder in FONTS:
        for path in sorted(folder.rglob(f"{name}*.woff2")):
            return path
    return None


def public_names() -> str:
    """Return the reference of everything that `import flip7` offers, as instructions to mkdocstrings."""
    homes = {name: home.split(".")[1] for name, home in flip7._HOMES.items()}
    rooms = [*ROOMS, *sorted(set(homes.values()) - ROOMS.keys())]
    parts = []
    for room in rooms:
        names = sorted((name for name in homes if homes[name] == room), key=lambda name: (name.islower(), name))
        if names:
            parts.append(f"## {ROOMS.get(room, room.capitalize())}\n")
            parts += [f"::: flip7.{name}\n" for name in names]
    parts.append("## Version\n\n::: flip7.__version__\n")
    return "\n".join(parts)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the identity and the logo to the site."""
    added: dict[str, str | bytes] = {"identity/identity.css": identity(), "identity/logo.svg": LOGO.read_bytes()}
    for body in re.findall(r"@font-face\s*\{(.*?)^\}", STYLES.read_text(encoding="utf-8"), re.M | re.S):
        if path := font(_font_name(body)):
            added[f"identity/{_font_name(body)}.woff2"] = path.read_bytes()
    for name, content in added.items():
        files.append(File.generated(config, name, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Write the list of public names where a page asks for it."""
    return markdown.replace("<!-- every public name -->", public_names())


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Mark what tables have to treat in a way of its own: code that is too long for one line, and ids of rulings."""
    html = re.sub(rf"<code>((?:[^<&]|&\w+;){{{LONG},}})</code>", r'<code class="long">\1</code>', html)
    return re.sub(r"<td>([A-Z0-9]+-\d+)</td>", r'<td class="id" id="\1">\1</td>', html)
