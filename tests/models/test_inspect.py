from __future__ import annotations

import importlib.util

import pytest

from schemaproof.models import build_model
from schemaproof.models.protocol import Ask, Message
from schemaproof.pipeline.specs import parse_spec

pytestmark = [
    pytest.mark.skipif(
        importlib.util.find_spec("inspect_ai") is None, reason="inspect-ai is not installed (extra inspect)"
    ),
    # Its dependencies warn of their own affairs.
    pytest.mark.filterwarnings("ignore"),
]
SCHEMA = '{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}'


@pytest.mark.slow
def test_the_mock_model_answers_offline() -> None:
    session = build_model(parse_spec("inspect/mockllm/model"))
    asks = [
        Ask((Message("system", "Say yes or no."), Message("user", "Is it so?")), "factuality", yes_no=True),
        Ask((Message("user", "Write JSON."),), "generation", schema=SCHEMA),
        Ask(
            (Message("user", "Again."), Message("assistant", "x"), Message("user", "y")), "generation", temperature=1.0
        ),
    ]
    replies = session.ask_all(asks)
    assert all("mockllm" in reply.text for reply in replies)
    assert all(reply.prompt_tokens > 0 for reply in replies)
    assert session.usage.calls == 3
    assert all(reply.remembered for reply in session.ask_all(asks))
