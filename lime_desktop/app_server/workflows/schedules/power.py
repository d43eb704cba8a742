"""What the computer is on, as far as the system tells. Linux says of each supply what it is; nobody asks a network what it costs."""

from pathlib import Path

from lime_desktop.workflow_model.schedules.schedule import Quiet

SUPPLIES = Path("/sys/class/power_supply")
_MAINS = frozenset({"Mains", "USB"})


class PowerSupplies:
    """Reads them each time: a plug is pulled at any moment."""

    def __init__(self, folder: Path = SUPPLIES) -> None:
        self._folder = folder

    def told(self) -> frozenset[Quiet]:
        """What this system can tell of: nothing of batteries where it names no supply of its own."""
        return frozenset[Quiet](["battery"]) if self._own() else frozenset()

    def holds(self) -> frozenset[Quiet]:
        """What the computer is on now."""
        own = self._own()
        has_battery = any(_word(each, "type") == "Battery" for each in own)
        has_mains = any(
            _word(each, "type") in _MAINS and _word(each, "online") == "1" for each in own
        )
        return frozenset[Quiet](["battery"]) if has_battery and not has_mains else frozenset()

    def _own(self) -> list[Path]:
        """The computer's own: a mouse or a pen has a battery too."""
        try:
            found = sorted(self._folder.iterdir())
        except OSError:
            return []
        return [each for each in found if _word(each, "scope") != "Device"]


def _word(supply: Path, name: str) -> str:
    try:
        return (supply / name).read_text("ascii").strip()
    except (OSError, ValueError):
        return ""
