"""How the product and its apps look: theme tokens, accents, an app's name and icon."""
