"""Tables as CSV."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Return a table as CSV."""
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return stream.getvalue().encode()
