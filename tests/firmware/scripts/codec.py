"""Run by both Pythons: feeds what comes by standard input to a decoder, and says what came of it.

The digest is over every message, so two Pythons that print the same have read the same.
"""

import binascii
import gc
import sys

import wire


def main(device, chunk):
    """Print the number of messages, a digest, the counters, and how much was kept."""
    decoder = wire.Decoder(device=device)
    digest = count = most = 0
    while True:
        data = sys.stdin.buffer.read(chunk)
        if not data:
            break
        for message in decoder.feed(data):
            count += 1
            said = f"{message.kind} {message.seq} {message.value!r}"
            digest = binascii.crc32(said.encode(), digest)
        most = max(most, len(decoder._held))
        if count % 1000 == 0 and hasattr(gc, "mem_alloc"):
            gc.collect()
    seen = (decoder.good, decoder.bad, decoder.repeats, decoder.gaps, decoder.missed)
    print(count, digest & 0xFFFFFFFF, *seen, most)


main(sys.argv[1] == "device", int(sys.argv[2]))
