"""Agents of the user's own that speak the Agent Client Protocol, as engines.

`agents` keeps which there are, `process` starts one and talks to it, `translation` turns what it says into facts,
`permission` turns what it asks into questions, `engine` makes turns of all that. No object of the protocol leaves here.
"""
