"""Documents in common formats as text and structure.

``formats`` says which parser reads what, ``parsed`` is what every parser gives. Plain texts are read here by ``plain_text``
and ``marked_text``; formats with a history of hostile files (``packed``, ``pages``) are read by ``child``, a process of its own
with limits on memory and time, which ``parsing`` starts, feeds and replaces.
"""
