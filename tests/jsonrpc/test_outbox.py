"""How lines leave: promptly, and together where there are many."""

import asyncio

from lime_desktop.jsonrpc.outbox import Limits, Outbox
from tests.jsonrpc.conversation import run, until


class Sheet(asyncio.Transport):
    """Remembers each write."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[bytes] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.writes.append(bytes(data))


def test_a_lone_line_leaves_at_once_and_those_after_it_together() -> None:
    """Ours: whoever asks one thing waits for no turn of the loop, and a thousand questions are no thousand writes."""

    async def scene() -> None:
        outbox, sheet = Outbox(Limits(), lambda: None), Sheet()
        outbox.attach(sheet)
        for _ in range(2):
            sheet.writes.clear()
            for line in (b"1\n", b"2\n", b"3\n"):
                outbox.put(line)
            assert sheet.writes == [b"1\n"]
            await until(lambda: len(sheet.writes) > 1)
            assert sheet.writes == [b"1\n", b"2\n3\n"]

    run(scene())
