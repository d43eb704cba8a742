"""The apps that the host registered. An app that is not registered gets nothing."""
