"""Keys in the environment are named, never shown, and belong to the address they go with (ours)."""

from lime_desktop.host.models.choosing import EnvironmentKey, keys_in, read_key


def test_keys_are_found_by_their_makers_names() -> None:
    environment = {
        "OPENAI_API_KEY": "sk-1",
        "GEMINI_API_KEY": "g",
        "GOOGLE_API_KEY": "g2",
        "HOME": "/",
    }
    assert keys_in(environment) == (
        EnvironmentKey("OPENAI_API_KEY", "openai"),
        EnvironmentKey("GEMINI_API_KEY", "google"),
    )


def test_an_empty_key_is_none_and_one_for_another_address_is_not_offered() -> None:
    assert keys_in({"OPENAI_API_KEY": "  "}) == ()
    assert keys_in({"OPENAI_API_KEY": "sk-1", "OPENAI_BASE_URL": "https://models.example"}) == ()


def test_nothing_of_a_value_is_in_what_is_told_of_a_key() -> None:
    environment = {"ANTHROPIC_API_KEY": "planted-value "}
    [found] = keys_in(environment)
    assert "planted" not in repr(found)
    value = read_key(found, environment)
    assert "planted" not in repr(value)
    assert value.get_secret_value() == "planted-value"
