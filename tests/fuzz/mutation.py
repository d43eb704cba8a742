"""Bends and breaks inputs, the same way for the same seed."""

import random
from collections.abc import Callable, Iterator, Sequence

LONGEST = 64 * 1024
_ODD = (
    b"",
    b"\0",
    b"\xff",
    b"\xed\xa0\x80",
    b"<",
    b">",
    b"&",
    b'"',
    b"'",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b"(",
    b"\n",
    b"\r",
)
_NUMBERS = (b"0", b"-1", b"1e999", b"99999999999999999999", b"2147483648", b"0x", b"NaN")


def mutated(seeds: Sequence[bytes], seed: int) -> Iterator[bytes]:
    """Inputs without end, made of the seeds."""
    source = random.Random(seed)  # noqa: S311 - the same inputs again are the point
    while True:
        made = source.choice(seeds)
        for _ in range(source.randint(1, 6)):
            made = _changed(made, seeds, source)[:LONGEST]
        yield made


def _changed(data: bytes, seeds: Sequence[bytes], source: random.Random) -> bytes:
    start = source.randint(0, len(data))
    end = min(len(data), start + source.randint(0, 32))
    before, inside, after = data[:start], data[start:end], data[end:]
    other = source.choice(seeds)
    cut = source.randint(0, len(other))
    ways: tuple[Callable[[], bytes], ...] = (
        lambda: before + after,
        lambda: before + source.choice(_ODD) + inside + after,
        lambda: before + source.choice(_NUMBERS) + after,
        lambda: before + inside * source.randint(2, 200) + after,
        lambda: before + other[cut : cut + source.randint(1, 200)] + after,
        lambda: _with_odd_bytes(data, source),
        lambda: before,
        lambda: inside + before + after,
    )
    return source.choice(ways)()


def _with_odd_bytes(data: bytes, source: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(source.randint(1, 8) if data else 0):
        changed[source.randrange(len(changed))] = source.randrange(256)
    return bytes(changed)
