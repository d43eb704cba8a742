"""Where a model ends its own part and begins to play somebody else's: there its answer is over. Pure."""

MARKS = (
    "<|im_end|>",
    "<|im_start|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "<|end|>",
    "<|user|>",
    "<start_of_turn>",
    "<end_of_turn>",
    "\n### Instruction",
    "\n### User",
    "\nUser:",
    "\nHuman:",
    "\n<<<end of ",
)
"""Signs between the speakers of a conversation, as models have learnt them; none belongs into an answer."""


class StopRules:
    """Lets an answer through up to the first mark. What may become one is held back until it is clear."""

    def __init__(self, marks: tuple[str, ...] = MARKS) -> None:
        self._marks = marks
        self._held = ""
        self.is_over = False
        """Whether a mark was met; nothing is let through any more."""

    def hear(self, piece: str) -> str:
        """What of it is clear."""
        if self.is_over:
            return ""
        text = self._held + piece
        self._held = ""
        found = [at for mark in self._marks if (at := text.find(mark)) >= 0]
        if found:
            self.is_over = True
            return text[: min(found)]
        at = self._doubtful(text)
        self._held = text[at:]
        return text[:at]

    def end(self) -> str:
        """What was held back and became no mark."""
        held, self._held = self._held, ""
        return held

    def _doubtful(self, text: str) -> int:
        """Where the end begins that a mark may begin with."""
        longest = max(map(len, self._marks), default=1) - 1
        for at in range(max(0, len(text) - longest), len(text)):
            if any(mark.startswith(text[at:]) for mark in self._marks):
                return at
        return len(text)


def cut(text: str, marks: tuple[str, ...] = MARKS) -> str:
    """A whole text up to the first mark."""
    rules = StopRules(marks)
    return rules.hear(text) + rules.end()
