"""What does an agent know before it begins? Persona, skills and knowledge of its app, and a past that fits.

All of it comes from packages and files, so all of it is data: it is put below the host's own words, says so, and
opens no tool. `turns` stands before every engine and gives it the turn with its context; engines know nothing of apps.
"""
