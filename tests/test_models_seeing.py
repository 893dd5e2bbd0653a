"""Pages as pictures: what a model that sees is sent beside the text, and where its values stand."""

import base64
import json

import pytest
from model_server import answering, close_models, serve
from pdf_maker import make_pdf, show

import paxman
from paxman.api.verification import verify

CONTRACT = {
    "id": "voyage",
    "version": "1",
    "fields": [
        {"name": "vessel", "type": "STRING", "required": True, "description": "name of the ship"},
        {"name": "port", "type": "STRING", "required": True},
    ],
}
PERSONAL = {
    **CONTRACT,
    "fields": [*CONTRACT["fields"], {"name": "master", "type": "STRING", "required": False, "tags": ["pii"]}],
}
EMPTY = make_pdf(b"q 500 0 0 500 20 20 cm BI /W 2 /H 2 /CS /G /BPC 8 ID \x00\xff\xff\x00 EI Q")
MODELS = ["openai:gpt-4o", "anthropic:claude-sonnet-4-5", "gemini:gemini-2.5-flash"]


@pytest.fixture
def server(monkeypatch):
    with serve(answering(vessel=("Marigold", []), port="Rotterdam")) as running:
        for vendor in ("OPENAI", "ANTHROPIC", "GEMINI", "MISTRAL"):
            monkeypatch.setenv(f"{vendor}_API_KEY", "none")
            monkeypatch.setenv(f"{vendor}_BASE_URL", running.url + ("/v1" if vendor in ("OPENAI", "MISTRAL") else ""))
        yield running
        close_models()


def page(share):
    """A page with some text, and a picture over so much of it."""
    side = 600 * share**0.5
    words = b"".join(
        show(f"Line {number} of the bill of lading for the port: Rotterdam", 20, 580 - 14 * number)
        for number in range(8)
    )
    picture = b"q %d 0 0 %d 20 20 cm BI /W 2 /H 2 /CS /G /BPC 8 ID \x00\xff\xff\x00 EI Q" % (side, side)
    return make_pdf(words + picture)


def pictures(body):
    text = json.dumps(body)
    found = [part for part in text.replace("base64,", '"').split('"') if part.startswith("iVBORw0KGgo")]
    return [base64.b64decode(part) for part in found]


@pytest.mark.parametrize("model", MODELS)
def test_a_page_that_pictures_cover_is_shown(server, model):
    artifact = paxman.normalize(page(0.5), CONTRACT, model=model)
    (png,) = pictures(server.seen[0])
    width, height = (int.from_bytes(png[at : at + 4], "big") for at in (16, 20))
    assert 700 < max(width, height) <= 2048
    ref = artifact["vessel"].evidence_refs[0]
    assert (artifact["vessel"].value, ref.source.page, artifact["vessel"].confidence) == ("Marigold", 1, 0.75)
    detail = next(json.loads(ref.detail) for ref in artifact["vessel"].evidence_refs if ref.detail)
    assert (detail["pictures"], next(note.code for note in artifact["vessel"].diagnostics)) == (
        [1],
        "CONCLUDED_BY_MODEL",
    )


@pytest.mark.parametrize(
    ("share", "contract", "model"),
    [(0.1, CONTRACT, MODELS[0]), (0.5, PERSONAL, MODELS[0]), (0.5, CONTRACT, "mistral:open-mistral-nemo")],
    ids=["a logo", "personal values", "a model that does not see"],
)
def test_who_is_not_sent_pictures(server, share, contract, model):
    paxman.normalize(page(share), contract, model=model)
    assert [pictures(body) for body in server.seen] == [[]]


def test_a_page_without_text_is_only_shown(server):
    artifact = paxman.normalize(EMPTY, CONTRACT, model=MODELS[0])
    assert ([len(pictures(body)) for body in server.seen], artifact["vessel"].value) == ([1], "Marigold")
    assert artifact["vessel"].evidence_refs[0].source.page == 1


def test_pictures_are_in_the_price_before_the_call(server):
    cap = paxman.Budget(max_total_cost_usd="0.10")
    artifact = paxman.normalize(page(0.5), CONTRACT, cap, model=MODELS[1])
    assert artifact.statistics.cost_usd <= artifact.execution_plan.estimated_cost.usd
    poor = paxman.normalize(page(0.5), CONTRACT, paxman.Budget(max_total_cost_usd="0.004"), model=MODELS[1])
    assert (
        len(server.seen) == 1
        or poor.statistics.cost_usd <= paxman.Budget(max_total_cost_usd="0.004").max_total_cost_usd
    )


def test_what_was_seen_verifies(server):
    for document in (page(0.5), EMPTY):
        artifact = paxman.normalize(document, CONTRACT, model=MODELS[0])
        assert verify(artifact, document, CONTRACT, policy=paxman.Policy(model=MODELS[0])).problems == ()
