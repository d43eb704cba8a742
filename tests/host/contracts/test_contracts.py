"""Every served call succeeds as promised and is refused by the right code (ours: a call without a contract is no call)."""

from itertools import chain
from pathlib import Path

import pytest

from tests.host.contracts import agent, events, evidence
from tests.host.contracts.contract import Contract, refuse, succeed

CONTRACTS: tuple[Contract, ...] = (
    *agent.CONTRACTS,
    *events.CONTRACTS,
    *evidence.CONTRACTS,
)
REFUSED = tuple(chain.from_iterable(((each, way) for way in each.refusals) for each in CONTRACTS))


@pytest.mark.requirement("APP-16", "APP-26")
@pytest.mark.parametrize("contract", CONTRACTS, ids=str)
def test_a_call_succeeds_as_promised(contract: Contract, tmp_path: Path) -> None:
    succeed(contract, tmp_path)


@pytest.mark.requirement("APP-16", "APP-20")
@pytest.mark.parametrize(("contract", "refusal"), REFUSED, ids=str)
def test_a_call_is_refused_by_the_code_of_what_stands_in_its_way(
    contract: Contract, refusal: str, tmp_path: Path
) -> None:
    refuse(contract, refusal, tmp_path)
