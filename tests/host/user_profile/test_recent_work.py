"""What the person worked in last: newest first, each once, kept for the next start (ours)."""

from pathlib import Path

from lime_desktop.host.user_profile.recent_work import RecentWork


def opened(recent: RecentWork) -> list[tuple[str, int]]:
    return [(each.entry_key, each.at_ms) for each in recent.entries]


def test_each_entry_is_there_once_and_the_newest_first(tmp_path: Path) -> None:
    now = [0]
    recent = RecentWork(tmp_path / "recent.json", lambda: now[0])
    for at, key in ((1_000, "a"), (2_000, "b"), (3_000, "a"), (4_000, "a"), (90_000, "a")):
        now[0] = at
        recent.note("app", key)
    # What stays in front is not written at each turn, but its time does not grow old either.
    assert opened(recent) == [("a", 90_000), ("b", 2_000)]
    recent.close()
    assert opened(RecentWork(tmp_path / "recent.json", lambda: 0)) == opened(recent)


def test_it_does_not_grow_without_end(tmp_path: Path) -> None:
    recent = RecentWork(tmp_path / "recent.json", lambda: 0)
    for number in range(100):
        recent.note("app", f"entry-{number}")
    for number in range(300):
        recent.see(f"run-{number}")
    assert len(recent.entries) == 30
    assert recent.has_seen("run-299")
    assert not recent.has_seen("run-0")
    recent.close()
    assert RecentWork(tmp_path / "recent.json", lambda: 0).has_seen("run-299")


def test_a_file_that_cannot_be_read_counts_as_none(tmp_path: Path) -> None:
    (tmp_path / "recent.json").write_text("{", encoding="utf-8")
    assert RecentWork(tmp_path / "recent.json", lambda: 0).entries == ()


def test_a_disk_that_takes_nothing_costs_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "way").write_text("in the way", encoding="utf-8")
    recent = RecentWork(tmp_path / "way/recent.json", lambda: 0)
    recent.note("app", "a")
    recent.close()
    assert opened(recent) == [("a", 0)]
