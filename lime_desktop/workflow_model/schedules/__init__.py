"""When does something start by itself, and what becomes of the moments that nobody was there for? Pure; starts nothing.

`timing` knows moments, `schedule` what an author may demand beside them, `reading` makes both of plain JSON.
"""
