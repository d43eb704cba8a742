"""Messages that outside systems send to an app: heard at an address of this machine, kept in a queue, read by the app and its agents.

`queue` keeps them, `incoming` reads a request, `receiver` hears and judges it, `service` is what a person switches on and off,
`tools` are what the app reads with.
"""
