"""Does a provider tell its work as the specification demands?

Seven fixtures lie in `resources/provider_fixtures/`. A provider plays each, as a program that writes events line by
line; what it told goes through a real RuntimeCore, and three things are proved of it: every event fits the schema, the
read model alone restores the first screen, and replaying loses, repeats and guesses nothing.
"""
