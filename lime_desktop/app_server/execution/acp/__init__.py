"""Agents of the user's own that speak the Agent Client Protocol, as engines.

`agents` keeps which there are, `process` starts one and talks to it, `translation` turns what it says into facts,
`own_tools` tells
policy what it wants to do, `permission` turns what it asks into questions, `engine` makes turns of all that. No object of the protocol leaves here.
"""
