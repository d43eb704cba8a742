"""The desktop's end of the App Server: starts it, speaks to it, and says when it is not there.

``connection`` is one conversation, ``sidecar`` one process, ``supervisor`` keeps one running,
``registration`` tells it which apps there are.
"""
