"""The sidecar process: the only writer of runtime facts."""
