"""Is every tab back, and is nothing said that is not true? Run by hand: ``python -m tests.benchmarks.bench_restarts [COUNT]``.

The program is killed and started again on one home so many times (100 unless told), with five tabs open. In turn the App
Server starts as ever, starts slowly, fails the first time, or both. Printed are the starts that lost a tab or said
something false, and how long it took until the page in front was there.
"""

import statistics
import sys
import tempfile
from pathlib import Path

from tests.system.restarted_desktop import BEHAVIOURS, TABS, Found, install_apps, restart
from tests.system.started_desktops import Home

COUNT = 100


def main() -> None:
    """Restart so often, and say what came of it."""
    count = int(sys.argv[1]) if sys.argv[1:] else COUNT
    with tempfile.TemporaryDirectory(prefix="lime-restarts-", ignore_cleanup_errors=True) as folder:
        home = Home(Path(folder))
        install_apps(home)
        restart(home, "plain", opens=True)
        found = [_told(number, restart(home, behaviour)) for number, behaviour in _series(count)]
    whole = [each for each in found if tuple(each.tabs) == TABS and set(each.shown) == set(TABS)]
    true = [each for each in found if not each.untrue]
    print(f"{count} restarts: every tab back in {len(whole)}, nothing untrue said in {len(true)}")
    for behaviour in BEHAVIOURS:
        times = [each.first_page_s for each in found if each.behaviour == behaviour]
        if times:
            middle, worst = statistics.median(times), max(times)
            print(
                f"{behaviour:16} page in front after {middle:.2f} s (median), {worst:.2f} s (worst)"
            )
    sys.exit(0 if len(whole) == len(true) == count else 1)


def _series(count: int) -> list[tuple[int, str]]:
    return [(number + 1, BEHAVIOURS[number % len(BEHAVIOURS)]) for number in range(count)]


def _told(number: int, found: Found) -> Found:
    lost = [each for each in TABS if each not in found.tabs or each not in found.shown]
    said = "; ".join([*(f"lost {each}" for each in lost), *found.untrue]) or "well"
    print(f"{number:4} {found.behaviour:16} {found.first_page_s:6.2f} s  {said}", flush=True)
    return found


if __name__ == "__main__":
    main()
