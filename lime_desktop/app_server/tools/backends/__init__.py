"""Programs of an app's own: declared in `services`, started at the first call, kept behind the wall, spoken with over stdio.

`contract` is what is said, `program` which program it is, `process` one running program, `supervised` its life, `reverse_calls`
what it asks of the host in its app's name, `tools` how pages and agents reach it.
"""
