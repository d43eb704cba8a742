"""One open entry of an app: its page, what the page may ask of the window, and what the host puts around it."""
