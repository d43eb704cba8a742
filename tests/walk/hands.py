"""Who walks: hands on a screen, the program on it, and eyes for what it records."""

from dataclasses import dataclass

from tests.walk.program import Program
from tests.walk.recorded import Recorded
from tests.walk.screen import Screen

PAGE_S = 5.0
"""How long what was asked for may take to come before it is typed into all the same."""
_RAIL = (36, 36)
"""The middle of the rail's first place, from the corner of the window; the others stand below it."""
_RAIL_STEP = 52


@dataclass(slots=True)
class Walk:
    """One walk through one program."""

    screen: Screen
    program: Program
    killed_server: int | None = None
    """The App Server that a step has killed."""

    @property
    def recorded(self) -> Recorded:
        """What the program has written down."""
        return Recorded(self.program.home)

    def keys(self, *names: str) -> None:
        """Press keys."""
        self.screen.keys(*names)

    def type(self, text: str) -> None:
        """Type a text, once there is something that takes it."""
        self.settle(PAGE_S)
        self.screen.type(text)

    def settle(self, within_s: float) -> None:
        """Wait until the screen stands still and the program rests."""
        self.screen.settle(within_s, self.program.used_s)

    def go_to(self, words: str, *, further: int = 0) -> None:
        """Find something in the palette by words that are the same in every language; take the first, or one further down.

        Signs that no key has are put on one first, and a busy program may hear of that too late.
        """
        self.screen.keys("ctrl+k")
        self.type(words)
        self.settle(PAGE_S)
        self.screen.keys(*["Down"] * further, "Return")

    def click(self, across: float, down: float, button: int = 1) -> None:
        """Click at a place given in parts of the screen, so that it is the same on every size."""
        width, height = self.screen.size()
        self.screen.click(int(width * across), int(height * down), button)

    def click_rail(self, place: int, button: int = 1) -> None:
        """Click one of the rail's places; the first is Home, and apps follow."""
        left, top = self.screen.window_corner()
        self.screen.click(left + _RAIL[0], top + _RAIL[1] + place * _RAIL_STEP, button)

    def kill_server(self) -> None:
        """End the App Server as a crash would, and keep in mind which it was."""
        self.killed_server = self.program.server_id
        self.program.kill_server()
