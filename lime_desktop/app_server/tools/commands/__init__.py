"""Programs of this machine as tools: declared in app.integrations.yaml, confined, bounded, and told as facts.

`confine` is the program between us and the command, `sandbox` says what the operating system hides from it,
`running` runs one, `adapters` makes a tool of each declared command-line adapter.
"""
