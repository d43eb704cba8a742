"""What makes a product's installer on Windows: a script for NSIS, the icon, and what is left to do there. NEVER RUN by us."""

from collections.abc import Mapping
from pathlib import Path

from lime_desktop.executables import WITHOUT_WINDOW
from lime_desktop.stamping.brand import Brand
from lime_desktop.stamping.pictures import ico

_SCRIPT = """; The installer of {name} for Windows, for one person and without an administrator. Written by `lime-desktop ship`.
; NEVER RUN by Lime Desktop's authors: read it before you use it.
;
;   makensis -WX -DTREE=path\\to\\{id} {id}.nsi
Unicode true
!ifndef TREE
  !error "TREE is not given: the product's tree, stamped on a base that was frozen on Windows"
!endif
!include MUI2.nsh
!define NAME "{name}"
!define ID "{id}"
!define UNINSTALL_KEY "Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\${{ID}}"
Name "${{NAME}}"
OutFile "${{ID}}-{version}-setup.exe"
InstallDir "$LOCALAPPDATA\\Programs\\${{ID}}"
InstallDirRegKey HKCU "Software\\${{ID}}" "Folder"
RequestExecutionLevel user
SetCompressor /SOLID lzma
ManifestDPIAware true
!define MUI_ICON "{id}.ico"
!define MUI_UNICON "{id}.ico"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN "$INSTDIR\\${{ID}}.exe"
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"

Section
  IfFileExists "$INSTDIR\\${{ID}}.exe" 0 +2
    RMDir /r "$INSTDIR"
  SetOutPath "$INSTDIR"
  File /r "${{TREE}}\\*"
  WriteUninstaller "$INSTDIR\\uninstall.exe"
  WriteRegStr HKCU "Software\\${{ID}}" "Folder" "$INSTDIR"
  CreateShortcut "$SMPROGRAMS\\${{NAME}}.lnk" "$INSTDIR\\${{ID}}.exe"
{opens}
  WriteRegStr HKCU "${{UNINSTALL_KEY}}" "DisplayName" "${{NAME}}"
  WriteRegStr HKCU "${{UNINSTALL_KEY}}" "DisplayVersion" "{version}"
  WriteRegStr HKCU "${{UNINSTALL_KEY}}" "Publisher" "{publisher}"
  WriteRegStr HKCU "${{UNINSTALL_KEY}}" "UninstallString" '"$INSTDIR\\uninstall.exe"'
SectionEnd

Section "Uninstall"
  ; What a person made lies in another folder and stays.
  Delete "$SMPROGRAMS\\${{NAME}}.lnk"
  RMDir /r "$INSTDIR"
{closes}
  DeleteRegKey HKCU "${{UNINSTALL_KEY}}"
  DeleteRegKey HKCU "Software\\${{ID}}"
SectionEnd
"""
_STEPS = """What is left to do on Windows
=============================

1. On a Windows machine, freeze Lime Desktop:   python packaging\\release.py --only tree
2. There, stamp on it:                          lime-desktop ship YOUR_APP --base dist\\lime-desktop --out out
3. Give {id}.exe and {other}.exe their icon and version with a resource editor, and sign both.
4. Make the installer:                          makensis -WX -DTREE=out\\{id} {id}.nsi
5. Sign the installer.

Neither step was tried by Lime Desktop's authors: they have no Windows machine.
"""


def write_windows(brand: Brand, icons: Mapping[int, bytes], out: Path) -> tuple[Path, ...]:
    """Write the recipe, and give its files."""
    folder = out / "windows"
    folder.mkdir(exist_ok=True)
    bodies = {
        f"{brand.id}.nsi": installer_script(brand).encode("utf-8-sig"),
        f"{brand.id}.ico": ico(icons),
        "STEPS.txt": _STEPS.format(id=brand.id, other=WITHOUT_WINDOW).encode(),
    }
    for name, body in bodies.items():
        (folder / name).write_bytes(body)
    return tuple(folder / name for name in bodies)


def installer_script(brand: Brand) -> str:
    """The script for NSIS."""
    opens = [
        *_opens(brand.scheme, f"URL:{_quoted(brand.name)}"),
        _set(brand.scheme, "URL Protocol", ""),
    ]
    kinds = [brand.scheme]
    for each in brand.file_types:
        kind = f"{brand.id}.{each.extension}"
        opens += [_set(f".{each.extension}", "", kind), *_opens(kind, _quoted(each.name))]
        kinds += [f".{each.extension}", kind]
    return _SCRIPT.format(
        id=brand.id,
        name=_quoted(brand.name),
        version=brand.version,
        publisher=_quoted(brand.publisher or brand.name),
        opens="\n".join(opens),
        closes="\n".join(f'  DeleteRegKey HKCU "Software\\Classes\\{each}"' for each in kinds),
    )


def _opens(kind: str, said: str) -> list[str]:
    command = '\'"$INSTDIR\\${ID}.exe" open "%1"\''
    place = f"Software\\Classes\\{kind}\\shell\\open\\command"
    return [_set(kind, "", said), f'  WriteRegStr HKCU "{place}" "" {command}']


def _set(kind: str, name: str, value: str) -> str:
    return f'  WriteRegStr HKCU "Software\\Classes\\{kind}" "{name}" "{value}"'


def _quoted(text: str) -> str:
    return text.replace("$", "$$").replace('"', "'")
