"""A sample stands alone, so what several use is copied: no copy may go its own way (ours)."""

from tests.sample_apps.shared_pieces import PIECES, copies, stale_copies


def test_every_copy_is_its_piece() -> None:
    assert stale_copies() == []


def test_every_piece_is_used() -> None:
    used = {piece for _, piece in copies()}
    assert {each for each in PIECES.rglob("*") if each.suffix in {".js", ".css"}} == used
