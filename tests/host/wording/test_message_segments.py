"""A message is cut into prose and code, whole or while it grows (ours)."""

from lime_desktop.host.wording.message_segments import Segment, split_segments, with_plain_formulas

MESSAGE = """Before

```python
print("hi")
```
Between

1. Do this:
   ~~~sh
   ls
     -l
   ~~~
2. Done

$$
a_1 * b_2
$$
"""


def cut(message: str) -> list[tuple[str, str]]:
    return [
        (each.language if each.is_code else "", each.text.strip())
        for each in split_segments(message)
    ]


def test_code_and_formulas_stand_apart_with_their_language() -> None:
    assert cut(MESSAGE) == [
        ("", "Before"),
        ("python", 'print("hi")'),
        ("", "Between\n\n1. Do this:"),
        ("sh", "ls\n  -l"),
        ("", "2. Done"),
        ("TeX", "a_1 * b_2"),
    ]


def test_a_message_that_grows_is_cut_as_the_whole_of_it() -> None:
    segments: list[Segment] = []
    for end in range(len(MESSAGE) + 1):
        start = segments[-1].start if segments else 0
        segments = [*segments[:-1], *split_segments(MESSAGE[:end], start)]
    assert segments == split_segments(MESSAGE)


def test_code_that_is_not_closed_yet_is_code() -> None:
    assert split_segments("```js\nlet a") == [Segment(0, "let a", is_code=True, language="js")]
    assert split_segments("````\n```\n````") == [Segment(0, "```", is_code=True)]


def test_signs_of_a_formula_are_no_emphasis_and_money_is_no_formula() -> None:
    assert (
        with_plain_formulas(r"So \(a_1*b_2*c\) and $x^2$ hold") == "So `a_1*b_2*c` and `x^2` hold"
    )
    for prose in ("It costs $5 and $6", "`$x^2$`", "5$ a_b 6$", "no formula"):
        assert with_plain_formulas(prose) == prose
