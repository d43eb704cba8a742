"""Values and streams that one view may fetch (ours: large things never go through the channel)."""

import asyncio

import pytest

from lime_desktop.host.view.bodies import BodyLimits, ByteStream, OfferedValue, ViewBodies
from lime_desktop.protocol.errors import RateLimited


def read_all(stream: ByteStream) -> bytes:
    pieces: list[bytes] = []
    while piece := stream.read(3):
        pieces.append(piece)
    return b"".join(pieces)


def test_a_value_is_given_once() -> None:
    bodies = ViewBodies()
    path = bodies.offer(b"[1]")
    assert bodies.take(path) == OfferedValue("application/json", b"[1]")
    assert bodies.take(path) is None


def test_values_nobody_fetched_make_room_for_new_ones() -> None:
    bodies = ViewBodies(BodyLimits(unread_value_bytes=10))
    old, new = bodies.offer(b"x" * 8), bodies.offer(b"y" * 8)
    assert bodies.take(old) is None
    assert bodies.take(new) is not None


def test_what_is_written_is_read_in_order_and_then_the_end() -> None:
    stream = ViewBodies().open_stream()
    for piece in (b"hello ", b"wor", b"ld"):
        assert stream.write(piece)
    stream.finish()
    assert not stream.is_at_end
    assert read_all(stream) == b"hello world"
    assert stream.is_at_end


def test_the_reader_is_told_once_until_it_has_looked() -> None:
    stream = ViewBodies().open_stream()
    told: list[int] = []
    stream.connect_reader(lambda: told.append(1))
    stream.write(b"a")
    stream.write(b"b")
    assert told == [1]
    assert read_all(stream) == b"ab"
    stream.write(b"c")
    assert told == [1, 1]


def test_a_full_stream_takes_no_more_until_something_was_read() -> None:
    stream = ViewBodies(BodyLimits(unread_stream_bytes=4)).open_stream()
    assert [stream.write(b"abc"), stream.write(b"de")] == [True, False]
    stream.read(3)
    assert stream.write(b"de")


def test_a_piece_larger_than_the_limit_still_gets_through_alone() -> None:
    stream = ViewBodies(BodyLimits(unread_stream_bytes=4)).open_stream()
    assert stream.write(b"abcdefgh")


def test_a_writer_waits_for_room_and_hears_that_nobody_reads() -> None:
    async def scenario() -> list[bool]:
        stream = ViewBodies().open_stream()
        stream.write(b"abc")
        room = asyncio.ensure_future(stream.wait_for_room())
        await asyncio.sleep(0)
        await asyncio.to_thread(stream.read, 3)
        has_room = await asyncio.wait_for(room, 30)
        stream.abandon()
        return [has_room, await stream.wait_for_room(), stream.write(b"x")]

    assert asyncio.run(scenario()) == [True, False, False]


def test_a_reloaded_page_ends_its_streams_and_forgets_its_values() -> None:
    bodies = ViewBodies()
    path, stream = bodies.offer(b"1"), bodies.open_stream()
    ended: list[str] = []
    stream.on_end(lambda: ended.append("ended"))
    bodies.clear()
    assert (ended, stream.is_open) == (["ended"], False)
    assert bodies.take(path) is None
    assert bodies.take(stream.path) is None


def test_streams_are_limited_and_a_finished_one_makes_room() -> None:
    bodies = ViewBodies(BodyLimits(streams=1))
    stream = bodies.open_stream()
    with pytest.raises(RateLimited):
        bodies.open_stream()
    stream.finish()
    assert isinstance(bodies.take(stream.path), ByteStream)
    bodies.open_stream()
