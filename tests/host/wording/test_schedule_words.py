"""When a schedule starts is told in words, in both languages (ours). A bug: the card and the question showed cron lines."""

from pathlib import Path

import pytest

from lime_desktop.host.wording.schedule_words import when_words
from lime_desktop.host.wording.texts import read_texts

LOCALES = Path(__file__).parents[3] / "resources/locales"
SAID = {
    "0 8 * * 1": ("Mondays at 08:00.", "每周一 08:00。"),
    "30 7 * * *": ("Every day at 07:30.", "每天 07:30。"),
    "0 9 * * 1-5": ("Monday to Friday at 09:00.", "周一至周五 09:00。"),
    "0 9 * * MON-FRI": ("Monday to Friday at 09:00.", "周一至周五 09:00。"),
    "0 9 * * 0,6": ("Saturdays, Sundays at 09:00.", "每周六、周日 09:00。"),
    "0 9 * * 6-7": ("Saturdays, Sundays at 09:00.", "每周六、周日 09:00。"),
    "5 8,18 * * *": ("Every day at 08:05, 18:05.", "每天 08:05、18:05。"),
    "0 6 1 * *": ("On day 1 of every month at 06:00.", "每月 1 日 06:00。"),
    "*/15 * * * *": ("Every 15 minutes.", "每 15 分钟。"),
    "0 */6 * * *": ("Every 6 hours.", "每 6 小时。"),
    "0 * * * *": ("Every hour.", "每小时。"),
    "every 90m": ("Every 90 minutes.", "每 90 分钟。"),
    # No sentence would be true of these.
    "*/7 * * * *": (
        "By the schedule */7 * * * * (local time).",
        "按计划 */7 * * * *（本地时间）。",
    ),
    "0 9 1 * 1": ("By the schedule 0 9 1 * 1 (local time).", "按计划 0 9 1 * 1（本地时间）。"),
    "0 9 1 1 *": ("By the schedule 0 9 1 1 * (local time).", "按计划 0 9 1 1 *（本地时间）。"),
    "0 9 * * 1#2": (
        "By the schedule 0 9 * * 1#2 (local time).",
        "按计划 0 9 * * 1#2（本地时间）。",
    ),
}


@pytest.mark.parametrize("line", SAID)
def test_a_schedule_is_told_in_words_and_only_what_is_no_sentence_as_it_was_written(
    line: str,
) -> None:
    said = tuple(when_words(line, None, read_texts(LOCALES, [each])) for each in ("en", "zh-CN"))
    assert said == SAID[line]


def test_another_wall_clock_and_the_time_that_a_start_may_be_late_are_said() -> None:
    """A bug: with a jitter, the next times were 8:01 and 8:03, and nothing said why."""
    english, chinese = (read_texts(LOCALES, [each]) for each in ("en", "zh-CN"))
    assert when_words("0 8 * * 1", "Asia/Shanghai", english, 300_000) == (
        "Mondays at 08:00 (Asia/Shanghai). Each start comes within 5 minutes of that."
    )
    assert (
        when_words("0 8 * * 1", None, chinese, 60_000) == "每周一 08:00。每次在此后 1 分钟内启动。"
    )
