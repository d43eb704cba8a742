"""The script of the window's executable."""

from lime_desktop.frozen import start_with_window

start_with_window()
