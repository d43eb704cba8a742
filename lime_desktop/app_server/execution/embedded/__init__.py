"""Small models that run on this computer: no key, no network, nothing leaves the machine.

`model_process` is a program of its own that holds the weights, `model_host` keeps it running, `completions` talks to
it, `prompt` fits a conversation into it, `action_choice` lets it use tools, `engine` makes turns of all that.
"""
