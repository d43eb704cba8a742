"""Where models come from: providers, their keys, what they cost, how to reach them.

``store`` keeps settings and use; the key of a provider lies where all secrets lie. ``offers`` says which models can
be used now. ``presets`` are the providers we know; ``network`` is the way to one; ``service`` answers the settings,
``app_models`` what apps ask.
"""
