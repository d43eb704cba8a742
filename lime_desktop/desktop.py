"""The composition root of the desktop process: says where everything lies, and starts the shell on it."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lime_desktop.database.private_files import make_private_from_now_on
from lime_desktop.developer.options import Developing
from lime_desktop.durable_files.crash_reports import DESKTOP, note_failure, record_crashes
from lime_desktop.host.startup.problems import StartProblem, problem_of
from lime_desktop.host.startup.single_instance import (
    FirstInstance,
    NoAnswerError,
    be_first_or_hand_over,
)
from lime_desktop.host.user_profile.user_paths import user_data_folder, user_settings_file
from lime_desktop.host.wording.texts import DEFAULT_LOCALE, read_texts
from lime_desktop.product import (
    LIME,
    BrandingBroken,
    check_governing_files,
    product_folder,
    this_product,
)
from lime_desktop.resources import resources_folder, sample_apps_folder
from lime_desktop.shell.widgets.resource_folders import Folders

if TYPE_CHECKING:
    from lime_desktop.developer.recording.lines import Recording
    from lime_desktop.developer.recording.replay import Difference

CANNOT_START = 1
"""How a run ends that found its data folder full, closed to it, or held by one that does not answer."""
UNDECIDED = 3
"""How a run ends that needed a person's decision, and had nobody to ask."""


def main(target: str = "") -> int:
    """Open the window, at a package or a `lime://` link if one is named, and stay until it is left."""
    make_private_from_now_on()
    try:
        data, settings_file = user_data_folder(), user_settings_file()
        check_governing_files(this_product(), product_folder())
    except BrandingBroken as broken:
        return _tell_start_problem(StartProblem("branding", Path(), str(broken)), None)
    return _run(data, settings_file, target)


def develop(developing: Developing) -> int:
    """Open a package where it lies, with its data apart from the person's own, until the window is left."""
    from lime_desktop.developer.folders import developer_folder  # noqa: PLC0415 - only here

    _refuse_beside_rules()
    own = developer_folder(developing.options, user_data_folder(), user_settings_file())
    with own as folder:
        if developing.options.is_headless and _sandbox_is_undecided(folder.settings_file):
            _tell_undecided(developing)
            return UNDECIDED
        return _run(folder.data, folder.settings_file, developing=developing)


def _refuse_beside_rules() -> None:
    """Packages that are worked on run without an organisation; in its own product nothing does."""
    product = this_product()
    if product.organisation is not None:
        raise click.ClickException(
            f"{product.name} runs apps under the rules of its organization alone. Use Lime Desktop to work on apps."
        )


def _sandbox_is_undecided(settings_file: Path) -> bool:
    from lime_desktop.host.startup.engine_sandbox import must_ask, sandbox_gap  # noqa: PLC0415 - likewise
    from lime_desktop.host.user_profile.settings import read_settings  # noqa: PLC0415

    is_agreed = read_settings(settings_file).opens_without_sandbox
    return must_ask(sandbox_gap(), is_agreed=is_agreed)


def _tell_undecided(developing: Developing) -> None:
    from lime_desktop.developer.events import ProblemsEvent  # noqa: PLC0415 - likewise
    from lime_desktop.developer.findings import SANDBOX_UNDECIDED  # noqa: PLC0415

    developing.tell(ProblemsEvent(problems=(SANDBOX_UNDECIDED.found(SANDBOX_UNDECIDED.meaning),)))


def replay(recording: "Recording", package: Path, timeout_s: float) -> "Difference | None":
    """Play a recorded session to a package without a screen, and give the first difference."""
    _refuse_beside_rules()
    try:
        from lime_desktop.shell.developer.recording.run_replay import (  # noqa: PLC0415 - loads Qt
            run_replay,
        )
    except ImportError as error:
        raise _missing_parts(error) from None
    return run_replay(recording, package, resources_folder(), timeout_s)


def _run(
    data: Path, settings_file: Path, target: str = "", developing: Developing | None = None
) -> int:
    # Before Qt or anything else of weight is loaded: see `single_instance`.
    try:
        first = be_first_or_hand_over(data, target)
    except (OSError, NoAnswerError) as error:
        return _tell_start_problem(problem_of(error, data), developing)
    if first is None:
        if developing is not None:
            _tell_already_open(developing)
        return 0
    product = LIME if developing else this_product()
    brought = product_folder() if product.is_branded else None
    folders = Folders(resources_folder(), data, settings_file, product, brought)
    record_crashes(folders.crashes, DESKTOP)
    try:
        return _run_first(folders, first, target, developing)
    except Exception as error:
        note_failure(error)
        raise
    finally:
        first.release()


def _run_first(
    folders: Folders, first: FirstInstance, target: str, developing: Developing | None
) -> int:
    try:
        # Qt is loaded only to show a window.
        from lime_desktop.shell.startup.run_options import RunOptions  # noqa: PLC0415
        from lime_desktop.shell.startup.starting import run_shell  # noqa: PLC0415
    except ImportError as error:
        raise _missing_parts(error) from None
    return run_shell(RunOptions(folders, sample_apps_folder(), first, target, developing))


def _tell_start_problem(problem: StartProblem, developing: Developing | None) -> int:
    """Say it in the terminal, and in a window to somebody who started us without one."""
    product = LIME if problem.kind == "branding" else this_product()
    texts = read_texts(resources_folder() / "locales", [DEFAULT_LOCALE], product)
    click.echo(f"Error: {problem.title(texts)}\n{problem.advice(texts)}", err=True)
    if developing is None:
        # Without the desktop's parts the terminal has been told all there is to say.
        with suppress(ImportError):
            from lime_desktop.shell.startup.starting import (  # noqa: PLC0415 - loads Qt
                show_start_failure,
            )

            show_start_failure(problem, resources_folder(), product)
    return CANNOT_START


def _tell_already_open(developing: Developing) -> None:
    from lime_desktop.developer.events import AlreadyOpenEvent  # noqa: PLC0415 - only here

    developing.tell(AlreadyOpenEvent(package=str(developing.options.package)))


def _missing_parts(error: ImportError) -> click.ClickException:
    return click.ClickException(
        f"The desktop parts cannot be loaded ({error}). `lime-desktop doctor` says what is missing."
    )
