"""Types that people give the fields of their models: what a document's text becomes, in the model and by its schema."""

from __future__ import annotations

import datetime
import enum
import ipaddress
import json
import pickle
import uuid
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import (
    AwareDatetime,
    BaseModel,
    EmailStr,
    Field,
    HttpUrl,
    IPvAnyAddress,
    PastDate,
    RootModel,
    SecretStr,
    TypeAdapter,
    create_model,
    field_validator,
    model_validator,
)

import paxman
from paxman import Status
from paxman.api.inputs import load_input
from paxman.api.verification import verify
from paxman.contract import adapt, export
from paxman.documents.reading import read_document
from paxman.report.explanation import explain_fields
from paxman.report.page import report_page
from paxman.serialization import canonical_json

UTC = datetime.UTC
TWO = datetime.timezone(datetime.timedelta(hours=2))


class Size(enum.Enum):
    SMALL = 0.5


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: list[str]


class Part(BaseModel):
    name: str
    parts: list[Part] = []


VALUES: list[tuple[Any, Any, Any]] = [
    (datetime.datetime, "2024-05-01T10:11:12+02:00", datetime.datetime(2024, 5, 1, 10, 11, 12, tzinfo=TWO)),
    (datetime.datetime, "1 May 2024, 3:15 pm", datetime.datetime(2024, 5, 1, 15, 15)),
    (AwareDatetime, "2024-05-01T10:11:12Z", datetime.datetime(2024, 5, 1, 10, 11, 12, tzinfo=UTC)),
    (PastDate, "2024-05-01", datetime.date(2024, 5, 1)),
    (datetime.time, "10:11:12+02:00", datetime.time(10, 11, 12, tzinfo=TWO)),
    (datetime.timedelta, "PT45M", datetime.timedelta(minutes=45)),
    (datetime.timedelta, "90 minutes", datetime.timedelta(minutes=90)),
    (EmailStr, "joe@example.com", "joe@example.com"),
    (HttpUrl, "https://example.com/a", HttpUrl("https://example.com/a")),
    (uuid.UUID, "2eb8aa08-aa98-11ea-b4aa-73b441d16380", uuid.UUID("2eb8aa08-aa98-11ea-b4aa-73b441d16380")),
    (IPvAnyAddress, "10.0.0.1", ipaddress.IPv4Address("10.0.0.1")),
    (bytes, "abc", b"abc"),
    (Path, "/tmp/a.txt", Path("/tmp/a.txt")),
    (int | str, 5, 5),
    (int | str, "five", "five"),
    (Any, [1, {"a": None}], [1, {"a": None}]),
    (dict[str, int], {"a": 1, "b.c": 2}, {"a": 1, "b.c": 2}),
    (dict[str, list[Decimal]], {"a": [1, 2]}, {"a": [Decimal(1), Decimal(2)]}),
    (tuple[str, int], ["a", 1], ("a", 1)),
    (list[list[int]], [[1, 2], [3]], [[1, 2], [3]]),
    (list, [1, "a"], [1, "a"]),
    (Literal["x", 1], 1, 1),
    (Size, 0.5, Size.SMALL),
    (
        Annotated[Cat | Dog, Field(discriminator="kind")],
        {"kind": "dog", "tricks": ["sit"]},
        Dog(kind="dog", tricks=["sit"]),
    ),
    (Cat | Dog | None, {"kind": "cat", "lives": 9}, Cat(kind="cat", lives=9)),
    (
        list[Part],
        [{"name": "a", "parts": [{"name": "b", "parts": [{"name": "c", "parts": [{"name": "d", "parts": []}]}]}]}],
        TypeAdapter(list[Part]).validate_python(
            [{"name": "a", "parts": [{"name": "b", "parts": [{"name": "c", "parts": [{"name": "d"}]}]}]}]
        ),
    ),
    (Annotated[datetime.timedelta, Field(gt=datetime.timedelta(days=1))], "P2D", datetime.timedelta(days=2)),
    (Annotated[dict[str, int], Field(min_length=1)], {"a": 1}, {"a": 1}),
    (Annotated[Decimal, Field(max_digits=3)], "1.25", Decimal("1.25")),
]


def model(annotation: Any) -> type[BaseModel]:
    return create_model("Held", value=(annotation, ...))


@pytest.mark.parametrize(("annotation", "given", "expected"), VALUES)
def test_a_value_arrives_in_the_model(annotation: Any, given: Any, expected: Any) -> None:
    kind = model(annotation)
    artifact = paxman.normalize({"value": given}, kind)
    assert artifact.status is Status.SUCCESS, artifact.diagnostics
    assert artifact.to(kind).value == expected  # type: ignore[attr-defined]


@pytest.mark.parametrize(("annotation", "given", "expected"), VALUES)
def test_a_model_and_its_schema_give_the_same(annotation: Any, given: Any, expected: Any) -> None:
    kind = model(annotation)
    by_model, by_schema = (paxman.normalize({"value": given}, each) for each in (kind, kind.model_json_schema()))
    assert by_schema.status is by_model.status
    assert _json(by_schema.normalized_data) == _json(by_model.normalized_data)


def _json(data: Any) -> Any:
    """JSON in which a moment in UTC is written one way, and a number that is text is a number."""
    text = canonical_json(data).decode().replace('+00:00"', 'Z"')
    return json.loads(text, parse_float=str, parse_int=str)


@pytest.mark.parametrize("annotation", [annotation for annotation, _, _ in VALUES])
def test_a_contract_survives_its_export(annotation: Any) -> None:
    canonical = adapt(model(annotation))
    exported = [adapt(export(canonical, format)) for format in ("json_schema", "dict_dsl", "pydantic", "openapi")]
    assert exported == [canonical] * 4


@pytest.mark.parametrize(
    ("annotation", "given"),
    [
        (EmailStr, "nobody"),
        (uuid.UUID, "2eb8aa08"),
        (IPvAnyAddress, "10.0.0.300"),
        (datetime.datetime, "2016-12-31T23:59:60Z"),
        (datetime.time, "23:59:60Z"),
        (AwareDatetime, "2024-05-01T10:11:12"),
        (Annotated[datetime.timedelta, Field(gt=datetime.timedelta(days=1))], "PT1H"),
        (tuple[str, int], ["a"]),
        (Cat | Dog, {"kind": "bird"}),
        (dict[str, int], {"a": "x"}),
    ],
)
def test_a_value_that_the_model_refuses_is_no_success(annotation: Any, given: Any) -> None:
    assert paxman.normalize({"value": given}, model(annotation)).status is not Status.SUCCESS


def test_a_leap_second_is_refused_and_said() -> None:
    artifact = paxman.normalize({"value": "2016-12-31T23:59:60Z"}, model(datetime.datetime))
    assert [note.message for note in artifact["value"].diagnostics if note.code == "VALIDATION_FAILED"] == [
        "found by name, but it is a leap second, which cannot be kept and is not cut off"
    ]


class Item(BaseModel):
    sku: str
    price: Decimal


ROWS = [{"sku": "A1", "price": "1.50"}, {"sku": "B2", "price": "2.75"}]
SHEET = "sku,price\nA1,1.50\nB2,2.75\n"


@pytest.mark.parametrize("source", [ROWS, SHEET, json.dumps(ROWS)], ids=["list", "sheet", "text"])
@pytest.mark.parametrize("contract", [list[Item], RootModel[list[Item]], TypeAdapter(list[Item]).json_schema()])
def test_many_records(contract: Any, source: Any) -> None:
    artifact = paxman.normalize(source, contract)
    assert artifact.status is Status.SUCCESS, artifact.diagnostics
    assert artifact.to(list[Item]) == [Item(sku="A1", price=Decimal("1.50")), Item(sku="B2", price=Decimal("2.75"))]
    assert artifact["items[1].sku"].value == "B2"
    stored = paxman.ExecutionArtifact.from_json(artifact.to_json())
    assert (paxman.replay(stored, contract), stored.normalized_data) == (artifact, artifact.normalized_data)


BLOCKS = {
    "pairs": "sku: A1\nPrice: 1.50\n\nsku: B2\nPrice: 2.75\n",
    "titles": "Product 1\nSKU: A1\nPrice: 1.50\n\nProduct 2\nSKU: B2\nPrice: 2.75\n",
    "markdown": "# Products\n\n## Anvil\n\n- **SKU:** A1\n- Price: 1.50\n\n## Bolt\n\n- SKU: B2\n- Price: 2.75\n",
    "layout": "SKU      Price\nA1       1.50\nB2       2.75\n",
    "elements": "<stock><item><sku>A1</sku><price>1.50</price></item>"
    "<item><sku>B2</sku><price>2.75</price></item></stock>",
}


@pytest.mark.parametrize("page", BLOCKS.values(), ids=BLOCKS.keys())
def test_blocks_that_repeat_their_names_are_records(page: str) -> None:
    artifact = paxman.normalize(page, list[Item])
    assert artifact.to(list[Item]) == [Item(sku="A1", price=Decimal("1.50")), Item(sku="B2", price=Decimal("2.75"))]
    assert {ref.field_path for ref in artifact.evidence} >= {"items[0].sku", "items[1].price"}
    assert verify(artifact, page, list[Item]).problems == ()


class Mail(BaseModel):
    sender: str
    subject: str
    order_number: str


def test_the_mails_of_a_mailbox_are_records(tmp_path: Path) -> None:
    mails = [
        ("Mara Quill <mara@a.example>", "Order CM-118", "Order number: CM-118"),
        ("Tove Lund <tove@b.example>", "Order FB-77", "Order number: FB-77"),
        ("Mara Quill <mara@a.example>", "Thanks", "All good."),
    ]
    box = tmp_path / "orders.mbox"
    box.write_text(
        "".join(
            f"From x Fri May 16 08:12:00 2025\nFrom: {sender}\nTo: us@c.example\nSubject: {subject}\n"
            f"Date: Fri, 16 May 2025 08:12:00 +0100\n\nHello,\n\n{body}\n\n"
            for sender, subject, body in mails
        )
    )
    artifact = paxman.normalize(box, list[Mail])
    assert artifact.normalized_data == [
        {"sender": "Mara Quill", "subject": "Order CM-118", "order_number": "CM-118"},
        {"sender": "Tove Lund", "subject": "Order FB-77", "order_number": "FB-77"},
    ]
    assert [note.message for note in artifact.diagnostics if note.code == "ROW_REJECTED"] == [
        "row 3 was left out: order_number: missing (part 3, header From: 'From: Mara Quill <mara@a.example>\\n"
        "To: us@c.example\\nSubject: Thanks\\nDate: Fri, 16')"
    ]
    assert artifact.status is Status.PARTIAL_SUCCESS
    assert verify(artifact, box, list[Mail], strict=True).problems == ()
    assert "Order FB-77" in report_page(artifact, load_input(box))


@pytest.mark.parametrize(
    "contract", [list[Item], RootModel[dict[str, Decimal]], {"type": "array"}, {"items": {"type": "integer"}}]
)
def test_a_contract_of_many_survives_its_export(contract: Any) -> None:
    canonical = adapt(contract)
    exported = [adapt(export(canonical, format)) for format in ("json_schema", "dict_dsl", "pydantic", "openapi")]
    assert exported == [canonical] * 4


def test_a_map_at_the_root() -> None:
    contract = RootModel[dict[str, Decimal]]
    artifact = paxman.normalize({"EUR": "1.50", "USD": 2}, contract)
    assert (artifact.status, artifact.normalized_data) == (Status.SUCCESS, {"EUR": Decimal("1.50"), "USD": Decimal(2)})


def test_validators_judge_the_data_and_name_the_fields() -> None:
    class Trip(BaseModel):
        start: datetime.date
        end: datetime.date
        seats: int | None = None

        @field_validator("seats")
        @classmethod
        def enough(cls, value: int | None) -> int | None:
            if value == 0:
                raise ValueError("no seats")
            return value

        @model_validator(mode="after")
        def in_order(self) -> Trip:
            if self.end < self.start:
                raise ValueError("ends before it starts")
            return self

    artifact = paxman.normalize({"start": "2024-05-02", "end": "2024-05-01"}, Trip)
    assert artifact.status is Status.PARTIAL_SUCCESS
    assert "the model refuses the data: Value error, ends before it starts" in [n.message for n in artifact.diagnostics]
    artifact = paxman.normalize({"start": "2024-05-01", "end": "2024-05-02", "seats": 0}, Trip)
    assert [n.message for n in artifact["seats"].diagnostics] == ["the model refuses the data: Value error, no seats"]


class Login(BaseModel):
    user: str
    password: SecretStr
    others: dict[str, SecretStr] = {}


@pytest.mark.parametrize(
    "source",
    [
        {"user": "joe", "password": "hunter22", "others": {"bank": "swordfish"}},
        "User: joe\nPassword: hunter22\n\nOthers:\nbank: swordfish\n",
        "User: joe\nPassword: hunter22\nPassword: hunter33\n\nOthers:\nbank: swordfish\n",
    ],
)
def test_a_secret_reaches_the_model_and_nothing_else(source: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)
    artifact = paxman.normalize(source, Login, policy=paxman.Policy(embed_evidence_payload=True))
    assert artifact.to(Login).password.get_secret_value() in ("hunter22", "hunter33")
    assert artifact.to(Login).others["bank"].get_secret_value() == "swordfish"
    raw = load_input(source)
    shown = [
        artifact.to_json(),
        repr(artifact),
        str(artifact.normalized_data),
        json.dumps(artifact.normalized_data),
        pickle.dumps(artifact.normalized_data).decode("latin-1"),
        report_page(artifact, raw),
        repr(explain_fields(artifact, None, read_document(raw.data, None))),
        caplog.text,
    ]
    assert [word for word in ("hunter", "swordfish") for text in shown if word in text] == []
    assert paxman.replay(artifact.to_json(), Login) == artifact


class Order(BaseModel):
    created_at: datetime.datetime
    pickup_time: datetime.time
    term: datetime.timedelta
    website: HttpUrl
    contact: EmailStr
    quantity: int | str
    pet: Cat | Dog | None = None
    extras: dict[str, int]
    token: SecretStr
    born: PastDate
    address: IPvAnyAddress
    sizes: list[int]
    note: Any


PAGE = """Created at: 1 May 2024, 10:11:12
Pickup time: 3:15 pm
Term: two (2) years
Website: https://example.com
Contact: joe@example.com
Quantity: 12
Pet kind: cat
Pet lives: 9
Token: abc123
Born: 3 March 1999
Address: 10.0.0.1
Sizes: 1, 2, 3
Note: handle with care

Extras:
Breakfast: 3
Parking: 1
"""


def test_a_page_gives_a_model_and_its_schema_the_same() -> None:
    by_model, by_schema = (paxman.normalize(PAGE, each) for each in (Order, Order.model_json_schema()))
    assert [result.field_path for result in by_model.unresolved_fields] == []
    assert by_schema.status is by_model.status is Status.SUCCESS
    assert _json(by_schema.normalized_data) == _json(by_model.normalized_data)
    assert [result.confidence for result in by_schema.field_results] == [
        result.confidence for result in by_model.field_results
    ]


def test_a_fraction_of_a_second_is_kept() -> None:
    contract = {"type": "object", "properties": {"at": {"type": "string", "format": "date-time"}}, "required": ["at"]}
    artifact = paxman.normalize({"at": "1963-6-19T08:30:06.2831Z"}, contract)
    assert artifact.normalized_data == {"at": "1963-06-19T08:30:06.283100Z"}
