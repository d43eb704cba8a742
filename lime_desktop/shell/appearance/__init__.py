"""How the shell speaks and looks: the person's choices, the texts, the theme, the icons and the brand.

Each is an object with one job that says when it changes; a widget is given those that it uses. Knows no page.
"""
