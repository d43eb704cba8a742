"""A problem with a package, said to a person in their language.

In English a check says exactly what it found. In another language the catalogue's own sentence for the code stands in,
with the place; what was found stays one step away, word for word.
"""

from dataclasses import dataclass

from lime_desktop.app_package.problems import Problem
from lime_desktop.host.wording.texts import DEFAULT_LOCALE, Texts


@dataclass(frozen=True, slots=True)
class ToldPackageProblem:
    """What is wrong, where, and what to do."""

    what: str
    where: str
    fix: str
    exactly: str
    """What the check found, in its own words; empty where `what` says it."""


def tell_package_problem(problem: Problem, texts: Texts) -> ToldPackageProblem:
    """Word one problem."""
    what = words_for_code(problem.code, problem.message, texts)
    fix = problem.fix or ""
    if what != problem.message:
        fix = _translated(f"package-problem.{problem.code}.fix", texts) or fix
    exactly = "" if what == problem.message else problem.message
    return ToldPackageProblem(what, _where(problem), fix, exactly)


def words_for_code(code: str | None, message: str, texts: Texts) -> str:
    """What a code means in the person's language, or the message itself where that is English."""
    return (_translated(f"package-problem.{code}", texts) if code else None) or message


def _translated(key: str, texts: Texts) -> str | None:
    return None if texts.locale == DEFAULT_LOCALE else texts.find_own(key)


def _where(problem: Problem) -> str:
    place = f"{problem.file or ''}{f':{problem.line}' if problem.line else ''}"
    return "  ".join(filter(None, (place, problem.key_path)))
