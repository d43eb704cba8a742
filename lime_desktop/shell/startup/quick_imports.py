"""Spares the start a search that PySide makes in every module that is imported after it."""

import sys

_FEATURES = "shibokensupport.feature"
_SEARCH = "_mod_uses_pyside"


def skip_feature_search() -> None:
    """Tell PySide that none of our modules asks for its snake_case or property spelling of Qt.

    To find out, it reads and splits the source of each of them: a seventh of the window's start. There is no
    setting for it; where a later PySide has no such search, nothing is changed.
    """
    features = sys.modules.get(_FEATURES)
    if features is not None and hasattr(features, _SEARCH):
        setattr(features, _SEARCH, _asks_for_none)


def _asks_for_none(_module: object) -> bool:
    return False
