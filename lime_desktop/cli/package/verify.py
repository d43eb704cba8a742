"""`lime-desktop verify`: is this package what its publisher signed?"""

from pathlib import Path

import click

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.package import load_package
from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.trust.revocation import RevocationChecks
from lime_desktop.app_package.trust.statement import identity_of
from lime_desktop.app_package.trust.trust_store import (
    TrustStore,
    default_trust_file,
    load_trust_store,
)
from lime_desktop.app_package.trust.verdict import Step, StepStatus, Verdict, Verification
from lime_desktop.app_package.trust.verification import verify
from lime_desktop.cli.terminal.output import (
    ExitCode,
    json_option,
    packages_argument,
    print_fields,
    print_json,
    printable,
)

_COLOURS = {StepStatus.PASSED: "green", StepStatus.FAILED: "red", StepStatus.SKIPPED: "yellow"}
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("verify")
@packages_argument
@click.option("--trust", "trust_file", type=_FILE, help="The trust file. Default: your own.")
@click.option("--trust-root", type=_FILE, help="A sigstore trusted_root.json to use instead.")
@click.option("--bundle", "bundle_file", type=_FILE, help="A sigstore bundle in its own file.")
@click.option("--offline", is_flag=True, help="Use only saved revocation answers.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    *,
    packages: tuple[Path, ...],
    trust_file: Path | None,
    trust_root: Path | None,
    bundle_file: Path | None,
    offline: bool,
    as_json: bool,
) -> None:
    """Verify the signatures of packages.

    Four steps: hashes, signature, revocation, publisher. The first failure ends it. Only the verdict
    `verified` exits with 0. A file lists the publishers you trust:

    \b
      publishers:
        lime-official:
          name: Lime Official
          keys: ["ed25519:..."]
          sigstore: [{identity: release@lime.example, issuer: https://accounts.example}]
          domains: [lime.example]
      sigstoreTrustRoot: trusted_root.json    # optional, beside this file
    """  # noqa: D301 - click takes a backspace for «keep these lines»
    store = trust_store(trust_file)
    if trust_root is not None:
        store = store.model_copy(update={"sigstore_trust_root": trust_root})
    bundle = None if bundle_file is None else bundle_file.read_text("utf-8", "replace")
    checks = RevocationChecks(is_offline=offline)
    results = [(path, _verify(path, store, checks, bundle)) for path in packages]
    trusted_by = str(trust_file or default_trust_file())
    if as_json:
        print_json(
            [{**_as_json(path, result), "trustFile": trusted_by} for path, result in results]
        )
    else:
        for path, result in results:
            _print_result(path, result)
        absent = "" if Path(trusted_by).exists() else " (not there yet)"
        click.secho(f"Trust file: {printable(trusted_by)}{absent}", dim=True)
    is_fine = all(result.is_verified for _, result in results)
    ctx.exit(ExitCode.OK if is_fine else ExitCode.PROBLEMS)


def trust_store(trust_file: Path | None = None) -> TrustStore:
    """Whom to trust, by a file that was named or by the person's own."""
    path = trust_file or default_trust_file()
    if trust_file is None and not path.exists():
        return TrustStore()
    store = load_trust_store(path)
    if isinstance(store, Problem):
        raise click.UsageError(f"{store.code}: {printable(store.message)} {store.fix}")
    return store


def _verify(
    path: Path, store: TrustStore, checks: RevocationChecks, bundle: str | None
) -> Verification:
    package = load_package(open_package(path))
    return verify(package.tree, identity_of(package.manifest), store, checks, bundle=bundle)


def _as_json(path: Path, result: Verification) -> dict[str, object]:
    shown = result.model_dump(by_alias=True, mode="json")
    return {"path": str(path), "ok": result.is_verified, **shown}


def _print_result(path: Path, result: Verification) -> None:
    colour = "green" if result.is_verified else "red"
    if result.verdict is Verdict.UNSIGNED:
        colour = "yellow"
    verdict = click.style(result.verdict, fg=colour, bold=True)
    click.echo(f"{printable(str(path))}  {verdict}")
    for step in result.steps:
        _print_step(step)
    found = result.hashes
    hashes = {"package": found.package_hash, "signed": found.signed_hash}
    shown = {**hashes, "manifest": found.manifest_hash, "signed at": result.signed_at}
    print_fields({name: value for name, value in shown.items() if value}, indent=4)


def _print_step(step: Step) -> None:
    status = click.style(f"{step.status:<7}", fg=_COLOURS[step.status])
    code = f"{step.code}: " if step.code else ""
    click.echo(f"    {status}  {step.name:<10}  {code}{printable(step.reason)}")
    if step.fix:
        click.secho(" " * 25 + printable(step.fix), dim=True)
