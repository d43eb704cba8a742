"""What tells a Linux desktop about a product: menu entry, links, file types, icons, description."""

from collections.abc import Mapping
from xml.sax.saxutils import escape

from lime_desktop.stamping.archives import Entry
from lime_desktop.stamping.brand import Brand


def desktop_entries(brand: Brand, icons: Mapping[int, bytes], share: str) -> list[Entry]:
    """The files below `share`, as every Linux desktop looks for them."""
    entries = [
        Entry(f"{share}/icons/hicolor/{side}x{side}/apps/{brand.id}.png", content=picture)
        for side, picture in icons.items()
    ]
    entries += [
        Entry(f"{share}/applications/{brand.id}.desktop", content=menu_entry(brand).encode()),
        Entry(f"{share}/metainfo/{brand.id}.metainfo.xml", content=metainfo(brand).encode()),
    ]
    if brand.file_types:
        types = file_types(brand).encode()
        entries.append(Entry(f"{share}/mime/packages/{brand.id}.xml", content=types))
    return entries


def menu_entry(brand: Brand) -> str:
    """The entry of the menu, which is also what opens the product's links and files."""
    opened = [f"x-scheme-handler/{brand.scheme}", *(each.mime_type for each in brand.file_types)]
    lines = {
        "Type": "Application",
        "Version": "1.0",
        "Name": _value(brand.name),
        "Comment": _value(brand.summary),
        "Exec": f"{brand.id} open %U",
        "Icon": brand.id,
        "Terminal": "false",
        "Categories": "Utility;Office;",
        "MimeType": "".join(f"{each};" for each in opened),
        "StartupNotify": "true",
        "StartupWMClass": brand.id,
        "X-GNOME-SingleWindow": "true",
    }
    return "[Desktop Entry]\n" + "".join(f"{key}={value}\n" for key, value in lines.items())


def file_types(brand: Brand) -> str:
    """The product's own types of files."""
    types = "".join(
        f'  <mime-type type="{each.mime_type}">\n'
        f"    <comment>{escape(each.name)}</comment>\n"
        f'    <generic-icon name="{brand.id}"/>\n'
        f'    <glob pattern="*.{each.extension}"/>\n'
        "  </mime-type>\n"
        for each in brand.file_types
    )
    space = "http://www.freedesktop.org/standards/shared-mime-info"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<mime-info xmlns="{space}">\n{types}</mime-info>\n'


def metainfo(brand: Brand) -> str:
    """The description for software centres."""
    developer = escape(brand.publisher or brand.name)
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>{brand.bundle_id}</id>
  <metadata_license>CC0-1.0</metadata_license>
  <name>{escape(brand.name)}</name>
  <summary>{escape(brand.summary)}</summary>
  <description>
    <p>{escape(brand.summary)}</p>
    <p>Runs on Lime Desktop: what the app may do is asked of you, and everything that happened is recorded where you can read it.</p>
  </description>
  <launchable type="desktop-id">{brand.id}.desktop</launchable>
  <icon type="stock">{brand.id}</icon>
  <provides>
    <binary>{brand.id}</binary>
  </provides>
  <developer id="{brand.bundle_id}">
    <name>{developer}</name>
  </developer>
  <content_rating type="oars-1.1"/>
  <releases>
    <release version="{brand.version}"/>
  </releases>
</component>
"""


def _value(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", " ")
