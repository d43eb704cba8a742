"""The AppArmor profile of a program: it lets the web engine have its sandbox where the system refuses it to strangers."""

from lime_desktop.executables import WITHOUT_WINDOW

_PROFILE = """# Lets the web engine of {id} make the user namespaces that its sandbox stands on. Ubuntu 23.10 and later refuse
# them to every program without a profile. Nothing else is changed: the programs stay unconfined by AppArmor.
abi <abi/4.0>,
include <tunables/global>

profile {id} {folder}/{{{id},{other},_internal/PySide6/Qt/libexec/QtWebEngineProcess}} flags=(unconfined) {{
  userns,

  include if exists <local/{id}>
}}
"""


def apparmor_profile(program: str, folder: str) -> str:
    """The profile of a program that is installed in a folder."""
    return _PROFILE.format(id=program, folder=folder, other=WITHOUT_WINDOW)
