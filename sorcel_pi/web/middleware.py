"""What stands before the page's server: whom it lets in, and what each answer says to the browser.

It knows names of hosts and headers, and nothing of what is asked.
"""

from collections.abc import Container

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .auth import host_is_ours, origin_is_ours

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self' {socket}; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
SECURITY = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class AccessMiddleware:
    """Lets in only what names this machine, and what changes anything only from its own page."""

    def __init__(self, app: ASGIApp, names: Container[str]) -> None:
        """Stand before `app`; `names` are those of this machine."""
        self._app, self._names = app, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it with 403."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host, origin = headers.get("host"), headers.get("origin")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        allowed = host_is_ours(host, self._names)
        if changes:
            allowed = allowed and origin_is_ours(origin, host)

        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in SECURITY.items():
                    answer[name] = value
                answer["content-security-policy"] = POLICY.format(socket=f"ws://{host}")
                answer.setdefault("cache-control", "no-cache")
            await send(message)

        if allowed:
            await self._app(scope, receive, send_secured)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            host = "localhost"  # what was given is not repeated
            await PlainTextResponse("Not from here.\n", 403)(scope, receive, send_secured)
