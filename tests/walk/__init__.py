"""A walk through the whole window with real keys, a real mouse and pictures, for somebody to look at.

``python -m tests.walk`` makes a screen of its own (Xvfb, a window manager), starts the program in a new home as an
ordinary user with Chromium's sandbox on, takes the ``steps`` one by one and writes a picture of each with a page that
shows them all. Whether what is seen is good is for a person to say. What a program can say it does say: each step names
what must hold after it, in what was recorded or on the screen (``checks``). A step after which that does not hold, or
the program is gone or has written a traceback, has failed; the walk goes on as far as it can, and ends with 1.
"""
