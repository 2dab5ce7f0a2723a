"""The files of the page, its texts and the rules, read once; nothing else can be asked for."""

from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from ..rulebook.pages import LANGUAGES, pdf_name, rules_page, rules_pdf

KINDS = {
    "pdf": "application/pdf",
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
}


class _Made(NamedTuple):
    """What is no file in `static`, and is asked for as if it were."""

    name: str
    content: bytes

    def read_bytes(self) -> bytes:
        """Return the content."""
        return self.content


def _rules() -> Iterator[Any]:  # beside what is a file
    for language in LANGUAGES:
        yield _Made(f"rules-{language}.html", rules_page(language).encode())
        yield _Made(pdf_name(language), rules_pdf(language))


class _File(NamedTuple):
    content: bytes
    kind: str
    tag: str


class Assets:
    """All files in `static`, and the texts, by name; the empty name is the page itself."""

    def __init__(self) -> None:
        """Read them."""
        self._files: dict[str, _File] = {}
        static = files(__package__).joinpath("static")
        texts = files("sorcel_pi.messages").joinpath("texts.json")
        for entry in (*static.iterdir(), texts, *_rules()):
            kind = KINDS.get(entry.name.rpartition(".")[2])
            if kind is not None:
                content = entry.read_bytes()
                tag = f'"{sha256(content).hexdigest()[:20]}"'
                self._files[entry.name] = _File(content, kind, tag)
        if "index.html" in self._files:
            self._files[""] = self._files["index.html"]

    def answer(self, request: Request) -> Response:
        """Return the file that a request names."""
        found = self._files.get(request.path_params["name"])
        if found is None:
            return PlainTextResponse("There is nothing here.\n", 404)
        if request.headers.get("if-none-match") == found.tag:
            return Response(status_code=304, headers={"etag": found.tag})
        return Response(found.content, media_type=found.kind, headers={"etag": found.tag})
