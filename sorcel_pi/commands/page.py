"""What the commands share that serve a page: its key, and where the terminal says it is."""

import os
import secrets
import sys
import webbrowser
from contextlib import suppress
from pathlib import Path

import typer


def page_key(folder: Path) -> bytes:
    """Return the key that tokens are signed with, kept so that a browser enters its code once."""
    path = folder / "page.key"
    with suppress(OSError):
        key = path.read_bytes()
        if len(key) == 32:
            return key
    key = secrets.token_bytes(32)
    with suppress(OSError):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(key)
    return key


def announce(host: str, port: int, code: str, *, last: str, browser: bool = False) -> None:
    """Say where the page is, and a last line; open it if asked to and there is a browser."""
    import segno

    everywhere = host in ("0.0.0.0", "::", "")
    name = (
        "sorcel.local" if everywhere and _is_called_sorcel() else _address() if everywhere else host
    )
    address = f"http://{f'[{name}]' if ':' in name else name}:{port}/"
    typer.echo(f"The page:  {address}")
    typer.echo(f"Its code:  {code}   (entered once in each browser that is to do more than look)")
    typer.echo(last)
    if sys.stdout.isatty() and (sys.stdout.encoding or "").lower().startswith("utf"):
        segno.make(address, error="l").terminal(compact=True)
    if browser and _has_browser():
        with suppress(webbrowser.Error, OSError):
            webbrowser.open(f"{address}#code={code}")


def _is_called_sorcel() -> bool:
    import socket

    return socket.gethostname().partition(".")[0].lower() == "sorcel"


def _address() -> str:
    """Return this machine's address in its network; nothing is sent to find it."""
    import socket

    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return socket.gethostname()


def _has_browser() -> bool:
    """Whether a window can be opened here, by the one who sits here."""
    if "SSH_CONNECTION" in os.environ:
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
