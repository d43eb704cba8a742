"""Files by reference: what a person opened to an app, and what the product wrote for it. An app never sees a path."""
