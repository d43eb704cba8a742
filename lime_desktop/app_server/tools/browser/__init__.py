"""Web pages for agents: a governed session in a window that the person watches and can stop.

`window_steps` hands each step to the window, `tools` are what agents call.
"""
