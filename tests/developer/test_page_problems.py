"""What went wrong in a page, with file and line of what the developer edits (ours)."""

from lime_desktop.developer.page_problems import PageProblems

ORIGIN = "lime-app://demo"


def told(problems: PageProblems) -> list[tuple[str, str | None, int | None]]:
    return [(each.code, each.file, each.line) for each in problems.found]


def test_errors_are_placed_in_the_package() -> None:
    seen = PageProblems("dist/ui")
    seen.add_line(
        2, "Uncaught TypeError: x is not a function\n  at …", 12, f"{ORIGIN}/js/app.js?t=1"
    )
    seen.add_line(2, "Uncaught Error: early", 3, f"{ORIGIN}/main/deep")
    refused = "Refused to connect … violates the following Content Security Policy directive"
    seen.add_line(2, refused, 4, f"{ORIGIN}/app.js")
    seen.add_line(2, "the app's own words", 5, f"{ORIGIN}/app.js")
    seen.add_missing("/img/a%20b.png")
    assert told(seen) == [
        ("SCRIPT_FAILED", "dist/ui/js/app.js", 12),
        ("SCRIPT_FAILED", "dist/ui/index.html", 3),
        ("POLICY_BLOCKED", "dist/ui/app.js", 4),
        ("CONSOLE_ERROR", "dist/ui/app.js", 5),
        ("FILE_NOT_SERVED", "dist/ui/img/a b.png", None),
    ]
    assert seen.found[0].message == "Uncaught TypeError: x is not a function"


def test_what_is_no_error_is_left_alone() -> None:
    seen = PageProblems("dist/ui")
    seen.add_line(1, "a warning", 1, f"{ORIGIN}/app.js")
    seen.add_line(2, "Failed to load resource: the server …", 0, f"{ORIGIN}/x.png")
    seen.add_missing("/favicon.ico")
    seen.add_refused("request", "https://example.com/")
    assert told(seen) == []


def test_a_page_that_repeats_itself_is_told_once_and_forgotten_with_it() -> None:
    seen = PageProblems("dist/ui")
    for _ in range(3):
        seen.add_refused("window", "")
    assert told(seen) == [("REFUSED_BY_HOST", None, None)]
    seen.clear()
    assert told(seen) == []


def test_a_dev_server_serves_the_sources_themselves() -> None:
    seen = PageProblems("")
    seen.add_line(2, "Uncaught Error", 7, f"{ORIGIN}/src/main.ts")
    assert told(seen) == [("SCRIPT_FAILED", "src/main.ts", 7)]


def test_one_cause_is_told_once_whatever_else_the_engine_says_of_it() -> None:
    seen = PageProblems("")
    seen.add_failed("/app.js", "HTTP 500 Internal Server Error: no such import")
    seen.add_line(2, "Failed to load module script: Expected …", 0, f"{ORIGIN}/app.js")
    refused = "Refused to connect … violates the following Content Security Policy directive"
    again = "Fetch API cannot load …. Refused to connect because it violates the document's Content Security Policy."
    seen.add_line(2, refused, 4, f"{ORIGIN}/main.js")
    seen.add_line(2, again, 4, f"{ORIGIN}/main.js")
    assert told(seen) == [("SERVER_FAILED", "app.js", None), ("POLICY_BLOCKED", "main.js", 4)]
    assert "HTTP 500" in seen.found[0].message
