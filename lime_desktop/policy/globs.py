"""Match one pattern against one text, segment by segment. No regular expressions: patterns come from strangers.

- The pattern is anchored: it must account for the whole text.
- ``*`` stands for any run of characters inside one segment; ``**`` alone in a segment stands for any number of segments.
- A pattern that is only ``*`` matches every text, so that "anything" needs no knowledge of the separator.
- Letters are compared as they are; a caller that wants case to be ignored folds both sides first.

The work is bounded by the product of both lengths, so that no pattern can be slow.
"""

LONGEST_PATTERN = 512
ANYTHING = "*"


def glob_matches(pattern: str, text: str, separator: str) -> bool:
    """Tell whether the pattern accounts for the whole text."""
    if "*" not in pattern:
        return pattern == text
    if pattern == ANYTHING:
        return True
    segments = text.split(separator)
    # The reachable set: how many segments of the text the pattern so far may have used up.
    reached = {0}
    for part in pattern.split(separator):
        reached = _after(part, segments, reached)
    return len(segments) in reached


def _after(part: str, segments: list[str], reached: set[int]) -> set[int]:
    if part == "**":
        first = min(reached, default=len(segments) + 1)
        return set(range(first, len(segments) + 1))
    return {n + 1 for n in reached if n < len(segments) and _segment_matches(part, segments[n])}


def _segment_matches(pattern: str, text: str) -> bool:
    """Match ``*`` greedily, going back only to the latest star: linear in practice, quadratic at worst."""
    at_pattern = at_text = 0
    star, resume = -1, 0
    while at_text < len(text):
        if at_pattern < len(pattern) and pattern[at_pattern] == "*":
            star, resume = at_pattern, at_text
            at_pattern += 1
        elif at_pattern < len(pattern) and pattern[at_pattern] == text[at_text]:
            at_pattern += 1
            at_text += 1
        elif star >= 0:
            resume += 1
            at_pattern, at_text = star + 1, resume
        else:
            return False
    return not pattern[at_pattern:].strip("*")
