"""A board at its prompt, as far as mpremote needs one: the raw mode of MicroPython's prompt.

The Unix port has no such mode; the folder it is started in is the board's flash.
"""

import io
import sys

READY = b"raw REPL; CTRL-B to exit\r\n>"
received, sent = sys.stdin.buffer, sys.stdout.buffer


class Machine:
    """As much of `machine` as is asked for."""

    @staticmethod
    def reset():
        """Start again; here the process ends."""
        raise SystemExit


def code_until_ctrl_d():
    """Return what is to be run, or nothing when raw mode is left."""
    code = b""
    while True:
        byte = received.read(1)
        if byte == b"\x04":
            return code
        if byte in (b"", b"\x02"):
            return None
        if byte == b"\x01":
            code = b""
            sent.write(READY)
        elif byte == b"\x05" and not code:
            received.read(2)
            sent.write(b"R\x00")  # understands the faster way, but does not have it
        elif byte == b"\x03":
            code = b""
        else:
            code += byte


def main():
    """Answer until the board is reset."""
    sys.modules["machine"] = Machine
    names = {}
    while True:
        code = code_until_ctrl_d()
        if code is None:
            continue
        sent.write(b"OK")
        failure = b""
        try:
            exec(code.decode(), names)
        except SystemExit:
            return
        except BaseException as error:
            text = io.StringIO()
            sys.print_exception(error, text)
            failure = text.getvalue().encode()
        sent.write(b"\x04" + failure + b"\x04>")


main()
