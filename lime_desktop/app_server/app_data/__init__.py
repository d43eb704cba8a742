"""What does the App Server keep of one app, and how does all of it come along, come back, or go?

Each service that keeps data of apps is a ``DataHolder``; ``service`` answers for all of them together, ``snapshots`` are
their copies on disk. The host decides when; nothing here knows of versions or grants.
"""
