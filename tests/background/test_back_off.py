"""Waits between attempts: they grow, they have an end, and chance keeps two apart."""

from lime_desktop.background.back_off import BackOff


def test_a_wait_doubles_with_each_failure_up_to_its_limit() -> None:
    back_off = BackOff(0.5, 3, jitter=lambda: 1.0)
    assert [back_off.wait_s(failures) for failures in range(6)] == [0.5, 0.5, 1, 2, 3, 3]


def test_chance_shortens_a_wait_by_half_at_most() -> None:
    assert BackOff(2, jitter=lambda: 0.0).wait_s(1) == 1
    assert all(1 <= BackOff(2).wait_s(1) <= 2 for _ in range(50))
