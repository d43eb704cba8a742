"""How fast a backend may talk, without a clock."""

from lime_desktop.app_server.tools.backends.pace import Pace, Rates

RATES = Rates(lines_per_s=10, burst_lines=20, bytes_per_s=100, burst_bytes=200)


def test_a_burst_is_free_and_what_comes_after_it_costs_time() -> None:
    pace = Pace(RATES, now_s=0)
    assert pace.spend(20, 100, now_s=0) == 0
    assert pace.spend(5, 0, now_s=0) == 0.5
    assert pace.spend(0, 400, now_s=1) == 2
    # After a long silence there is one burst again, and no more.
    assert pace.spend(20, 200, now_s=100) == 0
    assert pace.spend(1, 0, now_s=100) == 0.1
