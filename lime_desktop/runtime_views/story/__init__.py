"""How does a run read? A session's events as steps that are sentences, and what they add up to.

`steps` are the shapes; `fold` makes steps of events, with `identity` saying which event belongs to which step,
`values` what its sentence names and `details` what it opens to; `turns` counts time, tokens and cost; `doing` says what is
going on now; `words` puts it all into a language whose texts it is given. Pure, and bounded however long the run.
"""
