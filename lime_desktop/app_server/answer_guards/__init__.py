"""Is this an answer that may be shown? What small models get wrong, found before a person reads it as true.

`repetition` finds a model that goes round in circles, `stop_rules` where it speaks in somebody else's place,
`grounding` an answer that has nothing to do with its sources, `content` output that has a form and says nothing,
`token_limits` how long it may get, `output_demand` one that lacks the form asked for, and `output_attempts` says how often it is
tried. All of those are pure. `answer_guard` holds a turn's events against them, and
`withheld` is what a person and an app are told instead.
"""
