"""Host Bridge v1: the messages between an app's page and the desktop host.

`envelope` is what all messages share, `from_app` and `from_host` are the two directions, `snapshot`
is what an app may know of its host, `reading` turns untrusted text into a message or an error.
"""
