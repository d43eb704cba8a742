"""The small language in which a workflow reads values: `$.states.check.output.total > 100 and $.input.urgent`.

It is total: a text is an expression or has an error with its position, and an expression gives a value for any JSON. It
has no calls but `length`, no loops and no assignments, so that reading one never does anything.
"""
