"""The script of the executable without Qt."""

from lime_desktop.frozen import start_without_window

start_without_window()
