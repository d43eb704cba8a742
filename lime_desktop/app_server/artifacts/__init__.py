"""Lasting deliverables of apps: declared kinds, versions, bytes by reference, files in other formats.

``service`` answers the calls, ``rows`` knows the tables, ``exporting`` writes the formats.
"""
