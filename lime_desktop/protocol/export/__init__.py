"""Everything that is generated from the protocol: JSON Schemas, the SDK's types, reference pages.

`tables` gathers what there is, `schemas`, `typescript`, `sdk` and `pages` each write one form of it,
`files` names the results, and `python -m lime_desktop.protocol.export` puts them on disk.
"""
