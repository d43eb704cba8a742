; The installer for Windows, for one person and without an administrator. Built by build.py on a Windows runner, or by
; makensis anywhere once the frozen tree of a Windows runner is there. NEVER RUN by us: checked by makensis and by reading.
;
;   makensis -WX -DVERSION=0.1.0 -DTREE=path\to\lime-desktop -DOUT=lime-desktop-setup.exe -DICON=lime-desktop.ico lime-desktop.nsi
Unicode true
!ifndef VERSION
  !error "VERSION is not given"
!endif
!ifndef TREE
  !error "TREE is not given"
!endif
!include MUI2.nsh

!define NAME "Lime Desktop"
!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\lime-desktop"
!define TYPE "LimeDesktop.App"

Name "${NAME}"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\lime-desktop"
InstallDirRegKey HKCU "Software\lime-desktop" "Folder"
RequestExecutionLevel user
SetCompressor /SOLID lzma
ManifestDPIAware true
VIProductVersion "${VERSION}.0"
VIAddVersionKey /LANG=1033 "ProductName" "${NAME}"
VIAddVersionKey /LANG=1033 "ProductVersion" "${VERSION}"
VIAddVersionKey /LANG=1033 "FileVersion" "${VERSION}"
VIAddVersionKey /LANG=1033 "FileDescription" "Installer of ${NAME}"
VIAddVersionKey /LANG=1033 "LegalCopyright" "Lime Desktop contributors"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN "$INSTDIR\lime-desktop.exe"
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"

Section
  ; An older version goes whole: a file that is no longer there must not stay.
  IfFileExists "$INSTDIR\lime-desktop.exe" 0 +2
    RMDir /r "$INSTDIR"
  SetOutPath "$INSTDIR"
  File /r "${TREE}\*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr HKCU "Software\lime-desktop" "Folder" "$INSTDIR"

  CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\lime-desktop.exe"

  WriteRegStr HKCU "Software\Classes\lime" "" "URL:${NAME}"
  WriteRegStr HKCU "Software\Classes\lime" "URL Protocol" ""
  WriteRegStr HKCU "Software\Classes\lime\shell\open\command" "" '"$INSTDIR\lime-desktop.exe" open "%1"'
  WriteRegStr HKCU "Software\Classes\.lapp" "" "${TYPE}"
  WriteRegStr HKCU "Software\Classes\${TYPE}" "" "Agent App"
  WriteRegStr HKCU "Software\Classes\${TYPE}\DefaultIcon" "" "$INSTDIR\lime-desktop.exe,0"
  WriteRegStr HKCU "Software\Classes\${TYPE}\shell\open\command" "" '"$INSTDIR\lime-desktop.exe" open "%1"'

  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayName" "${NAME}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayIcon" "$INSTDIR\lime-desktop.exe"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "Publisher" "Lime Desktop contributors"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL_KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoRepair" 1
SectionEnd

Section "Uninstall"
  ; What a person made lies in another folder and stays.
  Delete "$SMPROGRAMS\${NAME}.lnk"
  RMDir /r "$INSTDIR"
  DeleteRegKey HKCU "Software\Classes\lime"
  DeleteRegKey HKCU "Software\Classes\.lapp"
  DeleteRegKey HKCU "Software\Classes\${TYPE}"
  DeleteRegKey HKCU "${UNINSTALL_KEY}"
  DeleteRegKey HKCU "Software\lime-desktop"
SectionEnd
