"""What an app did or wants to do, in words: never the name of a call, where there are better ones."""

from lime_desktop.host.texts import Texts


def doing_words(action: str, texts: Texts) -> str:
    """An action such as `lime.storage.set` as a person would say it; what is no call of ours stays as it is."""
    capability = action.rpartition(".")[0] if action.startswith("lime.") else ""
    key = f"doing.{capability}"
    words = texts(key)
    return action if not capability or words == key else words
