"""Lists the Qt modules in a tree and stops a release that holds one we may not give away under the LGPL.

The wheels' metadata says LGPL for everything, yet Qt publishes some modules under the GPL alone. So it is the other way
round here: a module goes out only if it is known to be under the LGPL.
"""

import re
from pathlib import Path

from newcomer.console import StoppedError

LGPL_MODULES = frozenset(
    {
        *(
            "Core",
            "DBus",
            "Gui",
            "Network",
            "OpenGL",
            "OpenGLWidgets",
            "PrintSupport",
            "Svg",
            "SvgWidgets",
        ),
        *(
            "Widgets",
            "XcbQpa",
            "WaylandClient",
            "EglFSDeviceIntegration",
            "WlShellIntegration",
            "Concurrent",
        ),
        *("Qml", "QmlMeta", "QmlModels", "QmlWorkerScript", "Quick", "QuickWidgets", "QmlNetwork"),
        *("Pdf", "Positioning", "WebChannel", "WebChannelQuick", "WebSockets"),
        *("WebEngineCore", "WebEngineWidgets", "WaylandEglClientHwIntegration"),
    }
)
"""Essentials and add-ons of Qt's module table that are offered under the LGPL 3, as far as the product uses them."""

GPL_ONLY_MODULES = frozenset(
    {
        # "Add-ons available under Commercial Licenses, or GNU General Public License v3" of Qt's page "All Modules".
        *(
            "Charts",
            "ChartsQml",
            "DataVisualization",
            "DataVisualizationQml",
            "Lottie",
            "Bodymovin",
        ),
        *("Mqtt", "NetworkAuth", "Quick3D", "QuickTimeline", "ShaderTools", "VirtualKeyboard"),
        "WaylandCompositor",
        # Newer than the version of that page that could be read.
        *("Graphs", "GraphsWidgets", "HttpServer"),
    }
)
"""Known to be under the GPL alone: named so that the refusal can say why. The list of the allowed decides."""

_LIBRARY = re.compile(r"(?:lib)?Qt6(\w+?)(?:\.so\.6|\.dll|\.framework)?(?:\..*)?$")


def qt_modules(tree: Path) -> frozenset[str]:
    """The modules whose libraries are in a tree."""
    names = (path.name for path in tree.rglob("*Qt6*") if path.suffix != ".qm")
    return frozenset(found[1] for found in map(_LIBRARY.match, names) if found)


def check_qt_modules(tree: Path) -> frozenset[str]:
    """Give the modules of a tree.

    Raises:
        StoppedError: one of them is not known to be under the LGPL.
    """
    found = qt_modules(tree)
    refused = sorted(found - LGPL_MODULES)
    if refused:
        told = [f"Qt {name}{': GPL only' if _is_gpl(name) else ''}" for name in refused]
        raise StoppedError(
            "The tree holds Qt modules that are not known to be under the LGPL:\n"
            + "\n".join(f"    {line}" for line in told)
            + "\nLeave out what needs them (packaging/release/pruning.py), or, if Qt's module table offers one\n"
            "under the LGPL, add it to packaging/release/qt_gate.py."
        )
    return found


def _is_gpl(name: str) -> bool:
    return name in GPL_ONLY_MODULES or name.startswith(
        ("Quick3D", "QuickTimeline", "VirtualKeyboard", "Lottie", "WaylandCompositor")
    )
