"""How much a page may ask of its origin at a time (ours)."""

from lime_desktop.host.web_content.request_limits import RequestLimits, ViewRequests


def test_requests_beyond_the_limit_are_refused_until_some_are_over() -> None:
    requests = ViewRequests(RequestLimits(requests=2))
    assert [requests.admit() for _ in range(3)] == [True, True, False]
    requests.arrive()
    assert not requests.admit()
    requests.end(0)
    assert requests.admit()


def test_a_request_that_was_given_up_on_its_way_is_not_counted_for_ever() -> None:
    now = [0.0]
    requests = ViewRequests(RequestLimits(requests=1, arrival_s=5.0), lambda: now[0])
    assert requests.admit()
    assert not requests.admit()
    now[0] = 6.0
    assert requests.admit()
    assert requests.count == 1


def test_answers_wait_while_too_much_is_unread() -> None:
    requests = ViewRequests(RequestLimits(unread_bytes=10))
    requests.arrive()
    requests.hold(12)
    assert not requests.has_room
    requests.end(12)
    assert requests.has_room
    assert requests.count == requests.unread_bytes == 0


def test_asking_on_and_on_is_a_flood_until_the_page_is_loaded_anew() -> None:
    requests = ViewRequests(RequestLimits(requests=0, refusals=3))
    for _ in range(3):
        requests.admit()
    assert not requests.is_flood
    requests.admit()
    assert requests.is_flood
    requests.start_over()
    assert not requests.is_flood
