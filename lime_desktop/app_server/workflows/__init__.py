"""How does a workflow come to its end, whatever happens on the way? Runs as facts of the log, driven step by step.

A run is a session with one job; each state that it comes through is an item of that job. What a run has come to is read
from these facts alone, so that any process can go on with it: `run` holds one as it stands, `steps` carries a state out,
`driver` leads from state to state, `waits` knows what is waited for, and `service` answers apps and people.
"""
