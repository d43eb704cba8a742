"""The desktop's end of the App Server: starts it, speaks to it, and says when it is not there.

``connection`` is one conversation, ``sidecar`` one process, and ``supervisor`` keeps one running: it starts the App
Server and starts it again after a crash. Which apps there are it is told by ``host/apps/registration.py``.
"""
