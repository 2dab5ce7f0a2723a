"""The files of the page and its texts, read once; nothing outside this list can be asked for."""

from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

KINDS = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
}


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
        for entry in (*static.iterdir(), texts):
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
