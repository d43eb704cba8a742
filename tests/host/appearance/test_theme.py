"""The one token file serves the shell and the apps, and can be read by everybody (ours)."""

from pathlib import Path

import pytest

from lime_desktop.host.appearance.accent import contrast
from lime_desktop.host.appearance.theme import ThemeChoice, ThemeMode, parse_tokens, theme_in_force

TOKENS = parse_tokens((Path(__file__).parents[3] / "resources/theme/tokens.json").read_text())

TEXT_ON = [
    ("text", "bg"),
    ("text", "surface"),
    ("text", "surface-sunken"),
    ("text", "surface-hover"),
    ("text-muted", "bg"),
    ("text-muted", "surface"),
    ("text-muted", "surface-sunken"),
    ("text-muted", "surface-hover"),
    ("accent", "surface"),
    ("accent-text", "accent"),
    ("accent-text", "accent-hover"),
    ("accent-soft-text", "accent-soft"),
    ("danger", "danger-soft"),
    ("danger", "surface"),
    ("warning", "warning-soft"),
    ("success", "success-soft"),
    ("info", "info-soft"),
]
EDGES_ON = [("border-strong", "surface"), ("focus", "surface"), ("focus", "bg")]


@pytest.mark.parametrize("scheme", TOKENS.schemes)
@pytest.mark.parametrize(("ink", "paper"), TEXT_ON)
def test_text_meets_contrast_aa(scheme: str, ink: str, paper: str) -> None:
    colors = TOKENS.schemes[scheme].colors
    assert contrast(colors[ink], colors[paper]) >= 4.5


@pytest.mark.parametrize("scheme", TOKENS.schemes)
@pytest.mark.parametrize(("edge", "paper"), EDGES_ON)
def test_edges_and_focus_can_be_seen(scheme: str, edge: str, paper: str) -> None:
    colors = TOKENS.schemes[scheme].colors
    assert contrast(colors[edge], colors[paper]) >= 3


def test_the_focus_of_a_green_button_can_be_seen_on_it() -> None:
    """Bug: a blue ring lay on a green of the same brightness."""
    colors = TOKENS.schemes["lime-light"].colors
    assert contrast(colors["focus"], colors["accent"]) >= 3


def test_every_scheme_has_the_same_tokens() -> None:
    assert len({frozenset(scheme.colors) for scheme in TOKENS.schemes.values()}) == 1


def test_system_mode_follows_the_system() -> None:
    dark = theme_in_force(TOKENS, ThemeChoice(system_is_dark=True))
    light = theme_in_force(TOKENS, ThemeChoice(system_is_dark=False))
    assert (dark.theme_mode, dark.effective_theme_mode, dark.color_scheme_id) == (
        "system",
        "dark",
        "lime-dark",
    )
    assert (light.effective_theme_mode, light.color_scheme_id) == ("light", "lime-light")


def test_apps_get_only_variables_of_the_host() -> None:
    theme = theme_in_force(TOKENS, ThemeChoice())
    assert all(name.startswith("--lime-") for name in theme.tokens)


def test_text_size_scales_letters_and_not_edges() -> None:
    theme = theme_in_force(TOKENS, ThemeChoice(text_scale=1.5))
    assert (theme.tokens["--lime-font-size"], theme.tokens["--lime-radius"]) == ("20px", "8px")


@pytest.mark.parametrize("accent", ["#ffffff", "#fdfdf0", "red", "url(x)", "#12345"])
def test_an_accent_that_could_not_be_read_is_not_taken(accent: str) -> None:
    theme = theme_in_force(TOKENS, ThemeChoice(mode="light", accent=accent))
    assert theme.tokens["--lime-accent"] == TOKENS.schemes["lime-light"].colors["accent"]


def test_a_readable_accent_is_taken_with_fitting_ink() -> None:
    theme = theme_in_force(TOKENS, ThemeChoice(mode="light", accent="#0b5cad"))
    assert (theme.tokens["--lime-accent"], theme.tokens["--lime-accent-text"]) == (
        "#0b5cad",
        "#ffffff",
    )


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("accent", ["#0b5cad", "#7a1f5c", "#00695c", "#b00020"])
def test_a_brand_is_worn_in_light_and_dark_and_can_be_read_in_both(
    accent: str, mode: ThemeMode
) -> None:
    tokens = theme_in_force(TOKENS, ThemeChoice(mode=mode, accent=accent)).tokens
    own = TOKENS.schemes[f"lime-{mode}"].colors
    assert tokens["--lime-accent"] != own["accent"]
    assert tokens["--lime-accent-soft"] != own["accent-soft"]
    for ink, paper in TEXT_ON:
        assert contrast(tokens[f"--lime-{ink}"], tokens[f"--lime-{paper}"]) >= 4.5


def test_high_contrast_outranks_a_brand() -> None:
    theme = theme_in_force(
        TOKENS, ThemeChoice(mode="dark", is_high_contrast=True, accent="#0b5cad")
    )
    assert theme.color_scheme_id == "lime-contrast-dark"
    assert theme.tokens["--lime-accent"] == "#b8f57a"
