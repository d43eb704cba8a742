"""A walk through the whole window with real keys, a real mouse and pictures, for somebody to look at.

``python -m tests.walk`` makes a screen of its own (Xvfb, a window manager), starts the program in a new home as an
ordinary user with Chromium's sandbox on, takes the ``steps`` one by one and writes a picture of each with a page that
shows them all. It is no test: whether what is seen is good is for a person to say. What a program can say it does say:
a step after which the program is gone, hangs or has written a traceback is marked, and the walk ends with 1.
"""
