"""Counts the words of a text. Knows nothing of the host."""

import re
from collections import Counter

# Letters and digits are words; Chinese, Japanese and Korean are counted by the character.
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)
_LINES_AT_A_TIME = 1_000


def count_words(text, tell=lambda done, total: None):
    """How many words there are, and the ten that come most often; `tell` hears how many lines are done."""
    lines, found = text.splitlines(), Counter()
    for number, line in enumerate(lines):
        if number % _LINES_AT_A_TIME == 0:
            tell(number, len(lines))
        found.update(word.lower() for word in _WORD.findall(line))
    return {"total": sum(found.values()), "words": found.most_common(10)}
