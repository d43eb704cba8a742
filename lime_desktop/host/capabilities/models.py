"""lime.models: which models could do a task here, as the App Server routes them."""

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.host.runs.app_tasks import AppTasks
from lime_desktop.protocol.calls.models import LIST_MODELS, ListModelsParams, ModelDescription
from lime_desktop.protocol.calls.models import ListModelsResult as ListedByServer
from lime_desktop.protocol.capability_calls.models import (
    EstimateCostParams,
    EstimateCostResult,
    GetRoutingResult,
    ListModelsResult,
    Model,
    ModelRoute,
    SelectModelParams,
    SelectModelResult,
    TaskKindParams,
)
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.task_events import Cost

_ANY = "any"


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    tasks = AppTasks(services.call, services.caller, services.approvals.follow_run)

    async def usable() -> tuple[ModelDescription, ...]:
        return (await look()).models

    async def look() -> ListedByServer:
        return await services.call(LIST_MODELS, ListModelsParams(include_unavailable=False))

    async def list_all(_: TaskKindParams) -> BaseModel:
        return ListModelsResult(models=tuple(_model(each) for each in await usable()))

    async def select(params: SelectModelParams) -> BaseModel:
        return _select(await look(), set(_texts(params.constraints, "capabilities")))

    async def get_routing(params: TaskKindParams) -> BaseModel:
        route = ModelRoute(
            task_kind=params.task_kind or _ANY,
            candidates=tuple(_model(each) for each in await usable()),
            reason="In the person's own order, as far as a model can do what the task needs",
        )
        return GetRoutingResult(routes=(route,))

    async def estimate_cost(params: EstimateCostParams) -> BaseModel:
        earlier = await tasks.since("")
        costs = [
            task.result.cost.amount
            for task in earlier
            if task.task_kind == params.task_kind and task.result and task.result.cost
        ]
        if not costs:
            return EstimateCostResult(status="unknown", sample_size=0)
        cost = Cost(amount=sum(costs) / len(costs))
        return EstimateCostResult(status="estimated", sample_size=len(costs), cost=cost)

    return {
        "lime.models.list": list_all,
        "lime.models.select": select,
        "lime.models.getRouting": get_routing,
        "lime.models.estimateCost": estimate_cost,
    }


def _select(found: ListedByServer, wanted: set[str]) -> SelectModelResult:
    fitting = [each for each in found.models if wanted <= set(each.capabilities)]
    if fitting:
        return SelectModelResult(status="selected", model=_model(fitting[0]))
    obstacle = None if found.models else found.obstacle
    return SelectModelResult(
        status="unavailable",
        reason=obstacle.message if obstacle else "No model that is set up fits",
        reason_code=obstacle.reason_code if obstacle else "capability_gap",
    )


def _model(described: ModelDescription) -> Model:
    return Model(
        provider=described.provider_id,
        model=described.model_id,
        label=described.title,
        context_tokens=described.context_tokens,
        is_local=described.is_local,
        quality=described.quality,
    )


def _texts(constraints: JsonObject | None, name: str) -> list[str]:
    listed = (constraints or {}).get(name)
    return [str(each) for each in listed] if isinstance(listed, list) else []
