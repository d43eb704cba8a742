"""A call never waits for a person longer than its client does (the published clients: 15 s)."""

import asyncio

from lime_desktop.host.approvals.deferred_prompts import DeferredPrompts


def test_the_same_call_again_picks_the_answer_up_and_asks_once() -> None:
    asked: list[str] = []

    async def scene() -> None:
        person: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        async def question() -> str:
            asked.append("?")
            return await person

        questions = DeferredPrompts[str](timeout_s=0)
        for _ in range(2):
            assert await questions.ask("key", question) is None
        person.set_result("yes")
        answer = None
        while answer is None:
            answer = await questions.ask("key", question)
        assert answer == "yes"
        assert asked == ["?"]

    asyncio.run(asyncio.wait_for(scene(), 30))
