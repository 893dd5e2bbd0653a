"""Settings: flags win over the environment, which wins over the file, and each says where it came from."""

import sys
from decimal import Decimal

import pytest

import paxman
from paxman.config import NAMES, load_settings, masked, model_settings, parse_text, read_contract, variable
from paxman.contract import adapt

FILE = """
locale = "de_DE"
contract = "c.json"
[budget]
max_total_cost_usd = "0.05"
[policy]
confidence_floor = 0.7
optional_fields = "all"
[labels]
total = ["Zahlbetrag"]
"""


def write(folder, text=FILE, name="paxman.toml"):
    (folder / name).write_text(text, "utf-8")
    return folder


def test_defaults_are_those_of_budget_and_policy(tmp_path):
    settings = load_settings({}, {}, tmp_path)
    assert (settings.budget, settings.policy) == (paxman.Budget(), paxman.Policy())
    assert {setting.origin for setting in settings.values.values()} == {"default"}


def test_flag_over_environment_over_file(tmp_path):
    write(tmp_path)
    environment = {"PAXMAN_CONFIDENCE_FLOOR": "0.9", "PAXMAN_LOCALE": "en_GB", "UNRELATED": "1"}
    settings = load_settings({"locale": "fr_FR"}, environment, tmp_path)
    file = str(tmp_path / "paxman.toml")
    names = ("locale", "policy.confidence_floor", "budget.max_total_cost_usd", "policy.reject_below_floor")
    found = {name: (settings[name], settings.values[name].origin) for name in names}
    assert found == {
        "locale": ("fr_FR", "flag"),
        "policy.confidence_floor": (0.9, "PAXMAN_CONFIDENCE_FLOOR"),
        "budget.max_total_cost_usd": ("0.05", file),
        "policy.reject_below_floor": (False, "default"),
    }
    assert settings.policy == paxman.Policy(locale="fr_FR", confidence_floor=0.9, optional_fields="all")
    assert settings.budget == paxman.Budget(max_total_cost_usd=Decimal("0.05"))


def test_the_nearest_file_is_found_and_pyproject_counts(tmp_path):
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    write(tmp_path, '[tool.paxman]\nlocale = "it_IT"\n', "pyproject.toml")
    write(tmp_path / "a", "[project]\nname = 'x'\n", "pyproject.toml")
    assert load_settings({}, {}, inner)["locale"] == "it_IT"
    write(tmp_path / "a")
    assert load_settings({}, {}, inner)["locale"] == "de_DE"


def test_a_contract_stands_beside_its_file(tmp_path):
    write(tmp_path)
    (tmp_path / "c.json").write_text("{}")
    assert load_settings({}, {}, tmp_path)["contract"] == str(tmp_path / "c.json")
    write(tmp_path, "contract = 'c.py:Order'")
    (tmp_path / "c.py").write_text("")
    assert load_settings({}, {}, file=tmp_path / "paxman.toml")["contract"] == str(tmp_path / "c.py:Order")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("contract = 'c.py:Order'", "contract"),
        ("contract = 'c.py'", "contract"),
        ("contract = 'os:system'", "contract"),
        ("[provider]\nuse = 'os:system'\ncommand = 'touch pwned'", "provider"),
        ("provider = 'os:system'", "provider"),
        ("[[provider]]\nuse = 'openai'\n[[provider]]\nuse = 'os:abort'", "provider"),
    ],
)
@pytest.mark.parametrize("file", ["paxman.toml", "pyproject.toml"])
def test_a_file_that_was_found_names_no_code(tmp_path, text, name, file):
    if file == "pyproject.toml":
        text = "[tool.paxman]\n" + text.replace("[provider]", "[tool.paxman.provider]").replace(
            "[[provider]]", "[[tool.paxman.provider]]"
        )
    (tmp_path / file).write_text(text)
    with pytest.raises(paxman.ConfigurationError, match=f"may name code, as its `{name}` does. If it is yours"):
        load_settings({}, {}, tmp_path)[name]
    named = load_settings({}, {"PAXMAN_CONFIG": str(tmp_path / file)}, tmp_path)
    assert named[name] == load_settings({}, {}, file=tmp_path / file)[name]


MODELS = """
from __future__ import annotations
from pydantic import BaseModel
class Line(BaseModel):
    text: str
class Order(BaseModel):
    number: str
    lines: list[Line]
"""


@pytest.mark.parametrize("name", ["orders_a.py:Order", "deep/orders_b.py:Order"])
def test_a_model_in_a_file_of_python_is_a_contract(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deep").mkdir()
    (tmp_path / name.partition(":")[0]).write_text(MODELS)
    path = list(sys.path)
    assert [field.path for field in read_contract(name).fields] == ["number", "lines"]
    assert sys.path == path


def test_the_only_model_of_a_file_needs_no_name(tmp_path):
    (tmp_path / "single_c.py").write_text(MODELS.replace("list[Line]", "list[str]").replace("Line(BaseModel)", "Line"))
    assert read_contract(str(tmp_path / "single_c.py")).id == "Order"


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("orders_d.py", MODELS, "the contract is not named; the file has Line, Order. Hint: Write {}:Order."),
        ("orders_e.py:Ordr", MODELS, "the contract is not found as 'Ordr'; the file has Line, Order. Hint: Write"),
        ("orders_f.py", "x = 1", "the contract is not named; the file has no model. Hint: Write {}:Invoice."),
        ("orders_g.py:Order", "import no_such_thing", "not loaded: ModuleNotFoundError: No module named"),
        ("orders_h.py", None, "the contract is not there: there is no such file."),
        ("types.py", MODELS, "hidden by another module named types. Hint: Give the file another name."),
    ],
)
def test_files_of_python_without_a_contract_say_what_to_write(tmp_path, name, code, message):
    path = tmp_path / name.partition(":")[0]
    if code:
        path.write_text(code)
    with pytest.raises(paxman.InvalidContractError) as caught:
        read_contract(str(tmp_path / name))
    assert message.format(path) in str(caught.value)


def test_labels_find_what_the_contract_does_not_name(tmp_path):
    contract = adapt({"id": "c", "version": "1", "fields": [{"name": "total", "type": "MONEY", "required": True}]})
    settings = load_settings({}, {}, write(tmp_path))
    text = "Zahlbetrag: 12,50 EUR\nPosten: 7,00 EUR"
    assert paxman.normalize(text, settings.with_labels(contract))["total"].value == paxman.Money("12.50", "EUR")
    assert load_settings({}, {}, tmp_path.parent).with_labels(contract) is contract


def test_labels_of_no_field_are_a_warning(tmp_path):
    contract = adapt({"id": "c", "version": "1", "fields": [{"name": "total", "type": "MONEY", "required": True}]})
    settings = load_settings({}, {}, write(tmp_path, "[labels]\ntotl = ['Sum']\n"))
    artifact = paxman.normalize("Total: 1.00 EUR", settings.with_labels(contract))
    assert [(note.code, note.message) for note in artifact.diagnostics] == [
        ("CONTRACT_WARNING", "labels: no field named 'totl'. Did you mean 'total'? Known: total.")
    ]


def test_labels_reach_columns(tmp_path):
    row = {"fields": [{"name": "price", "type": "DECIMAL", "required": True}]}
    field = {"name": "rows", "type": "ARRAY", "required": True, "items": row}
    contract = adapt({"id": "c", "version": "1", "fields": [field]})
    path = contract.fields[0].columns[0].path
    labelled = load_settings({}, {}, write(tmp_path, f"[labels]\n'{path}' = 'Preis'\n")).with_labels(contract)
    assert (labelled.fields[0].columns[0].labels, labelled.warnings) == (("Preis",), ())


@pytest.mark.parametrize(
    "written", ["'rows.price' = 'Preis'", "rows.price = 'Preis'", "[labels.rows]\nprice = ['Preis']"]
)
def test_labels_of_columns_are_written_as_people_write_paths(tmp_path, written):
    row = {"fields": [{"name": "price", "type": "DECIMAL", "required": True}]}
    contract = adapt({"id": "c", "fields": [{"name": "rows", "type": "ARRAY", "required": True, "items": row}]})
    labelled = load_settings({}, {}, write(tmp_path, f"[labels]\n{written}\n")).with_labels(contract)
    assert (labelled.fields[0].columns[0].labels, labelled.warnings) == (("Preis",), ())


def test_a_written_out_key_is_not_shown():
    given = [{"use": "a:B", "api_key": "sk-1", "headers": {"Authorization": "Bearer x"}}, {"api_key": "env:KEY"}, "c:D"]
    assert masked(given) == [
        {"use": "a:B", "api_key": "(hidden)", "headers": {"Authorization": "(hidden)"}},
        {"api_key": "env:KEY"},
        "c:D",
    ]
    address = "https://me:pass@host/v1?api-version=2&api_key=sk-1&x=2#a"
    assert masked({"base_url": address}) == {
        "base_url": "https://(hidden)@host/v1?api-version=2&api_key=(hidden)&x=2#a"
    }


def test_what_may_be_a_key_is_not_shown():
    key = "a1B2c3D4e5F6g7H8i9"
    headers = {"X-Access": "sk-1", "X-Org": "acme", "X-Gate": "env:GATE", "User-Agent": "me/1", "api-version": "2024"}
    given = {"use": "a:B", "model": "gpt-4o-mini-2024-07-18", "gate": key, "accessKey": "x", "pwd": "y", "region": "eu",
             "headers": headers, "extra": {"user": key}}  # fmt: skip
    hidden = "(hidden)"
    assert masked(given) == {
        **given,
        **dict.fromkeys(("gate", "accessKey", "pwd"), hidden),
        "headers": {**headers, "X-Access": hidden, "X-Org": hidden},
        "extra": {"user": hidden},
    }


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"PAXMAN_MODEL": "opnai:x"}, "no provider named 'opnai'. Did you mean 'openai'?"),
        ({"PAXMAN_MODEL": "gpt-4o"}, "PAXMAN_MODEL is 'gpt-4o': it names no provider"),
        ({"PAXMAN_LOCAL": "de_DE"}, "PAXMAN_LOCAL in the environment is no setting. Did you mean PAXMAN_LOCALE?"),
        ({"PAXMAN_MAX_COST": "1"}, "Did you mean PAXMAN_MAX_TOTAL_COST_USD?"),
        ({"PAXMAN_MODEL_TEIR": "local"}, "Did you mean PAXMAN_MODEL_TIER?"),
    ],
)
def test_wrong_variables_are_refused_with_what_to_do(tmp_path, variables, message):
    with pytest.raises(paxman.ConfigurationError) as caught:
        load_settings({}, variables, tmp_path)
    assert message in str(caught.value)


KEY = "sk-123456abcdef"


@pytest.mark.parametrize(
    "variables",
    [
        {"PAXMAN_PROVIDER": f'{{"use": "a:b", "api_key": "{KEY}"}}'},
        {"PAXMAN_PROVIDER": f"openai:{KEY}"},
        {"PAXMAN_PROVIDER": "openai:sk_123456abcdef"},
        {"PAXMAN_PROVIDER": "my_package:sk_123456abcdef"},
        {"PAXMAN_PROVIDER": KEY},
        {"PAXMAN_PROVIDER": "AKIA1234567890ABCDEF"},
        {"PAXMAN_MODEL": KEY},
    ],
)
def test_a_key_in_the_wrong_place_is_refused_and_not_repeated(tmp_path, variables):
    with pytest.raises(paxman.ConfigurationError) as caught:
        load_settings({}, variables, tmp_path)
    assert "123456" not in f"{caught.value}{caught.value.context}"


def test_names_of_providers_are_taken(tmp_path):
    for name in ("openai", "llama_cpp", "opnai", "my_package:Gpt4TurboProvider", "my.package:make"):
        assert load_settings({}, {"PAXMAN_PROVIDER": name}, tmp_path)["provider"] == name


def test_the_model_of_the_environment_is_shown_without_keys():
    variables = {
        "PAXMAN_MODEL": "openai:gpt-4o-mini", "PAXMAN_MODEL_URL": "http://me:pass@host/v1",
        "PAXMAN_MODEL_KEY": KEY, "PAXMAN_MODEL_TIER": "local",
    }  # fmt: skip
    assert [(each.name, each.value, each.origin) for each in model_settings("openai", variables)] == [
        ("model", "openai:gpt-4o-mini", "PAXMAN_MODEL"),
        ("model_url", "http://(hidden)@host/v1", "PAXMAN_MODEL_URL"),
        ("model_tier", "local", "PAXMAN_MODEL_TIER"),
        ("model_key", "(hidden)", "PAXMAN_MODEL_KEY"),
    ]
    assert [each.value for each in model_settings("openai", {"PAXMAN_MODEL": f"openai:{KEY}"})] == ["(hidden)"]
    assert model_settings({"use": "openai", "model": "a"}, variables) == []


def test_other_variables_are_left_alone(tmp_path):
    others = {"PAXMAN_URL": "x", "PAXMAN_DB_PASSWORD": "y", "PAXMAN_DEBUG": "1", "PAXMAN_MODEL_KEY": "env:K"}
    settings = load_settings({}, {**others, "PAXMAN_MODEL": "qwen:7b", "PAXMAN_PROVIDER": "none"}, tmp_path)
    assert (settings["provider"], settings.policy) == (None, paxman.Policy())
    write(tmp_path, "[provider]\nuse = 'openai'\n")
    assert load_settings({}, {"PAXMAN_MODEL": "qwen:7b"}, tmp_path)["provider"] == {"use": "openai"}


def test_the_model_of_the_environment_wins_over_the_one_of_the_file(tmp_path):
    write(tmp_path, "[provider]\nuse = 'openai'\nmodel = 'a'\nbase_url = 'http://localhost:1'\n")
    provider = load_settings({}, {"PAXMAN_MODEL": "b"}, tmp_path).values["provider"]
    assert provider.value == {"use": "openai", "model": "b", "base_url": "http://localhost:1"}
    assert provider.origin == f"PAXMAN_MODEL and {tmp_path / 'paxman.toml'}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("use = 'opnai'", "no kind named 'opnai'. Did you mean 'openai'?"),
        (
            "model = 'x'",
            "`use` is missing. Known: openai, anthropic, gemini, azure, mistral, ollama, local, llama_cpp.",
        ),
        ("use = 'openai'\nmodle = 'x'", "no option named 'modle'. Did you mean 'model'?"),
        (f"use = '{__name__}:Loopback'\nnam = 'x'", "no option named 'nam'. Did you mean 'name'?"),
    ],
)
def test_wrong_providers_are_refused_with_what_to_do(tmp_path, text, message):
    write(tmp_path, f"[provider]\n{text}\n")
    with pytest.raises(paxman.ConfigurationError) as caught:
        load_settings({}, {}, file=tmp_path / "paxman.toml").activate()
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[polcy]\nx = 1", "Did you mean '[policy]'? Known: [budget], [policy], contract, "),
        ("policy = 3", "policy is a table: [policy]"),
        ("[policy]\nlocale = 'de_DE'", "no setting named 'policy.locale'. Did you mean 'locale'?"),
        ("confidence_floor = 0.5", "Did you mean 'policy.confidence_floor'?"),
        (
            "[budget]\nmax_cost = 1",
            "Did you mean 'budget.max_total_cost_usd'? Known: budget.max_capability_invocations, ",
        ),
    ],
)
def test_names_are_looked_for_where_they_may_stand(tmp_path, text, message):
    with pytest.raises(paxman.ConfigurationError) as caught:
        load_settings({}, {}, write(tmp_path, text))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lokale = 'de_DE'", "Did you mean 'locale'"),
        ("[policy]\nconfidence_floor = 2", "from 0 to 1"),
        ("[budget]\nmax_total_cost_usd = -1", "zero or more"),
        ("labels = 3", "labels is a table"),
        ("locale = ", "cannot be read"),
        ("provider = 3", "provider is text or a table"),
        ("provider = [5]", "provider is text or a table"),
        ("[labels]\ntotal_due = [5]", "labels is a table"),
        ("[labels]\nx = [['a']]", "labels is a table"),
        ("contract = {id = 'a'}", "contract is the path of a file"),
        ("locale = 'english'", "such as 'en_US' or 'de_DE'"),
        ("provider = 'nothing'", None),
    ],
)
def test_wrong_files_are_refused_with_what_to_do(tmp_path, text, message):
    write(tmp_path, text)
    if message is None:
        with pytest.raises(paxman.ConfigurationError, match="provider names what to use"):
            load_settings({}, {}, file=tmp_path / "paxman.toml").activate()
        return
    with pytest.raises(paxman.ConfigurationError, match=message):
        load_settings({}, {}, tmp_path)


def test_wrong_text_is_refused():
    for name, text in (("policy.confidence_floor", "high"), ("policy.reject_below_floor", "maybe"), ("labels", "x")):
        with pytest.raises(paxman.ConfigurationError):
            parse_text(name, text)
    assert parse_text("policy.reject_below_floor", "yes") is True
    assert parse_text("budget.max_remote_inference_calls", "3") == 3
    assert parse_text("locale", "none") is None
    assert load_settings({}, {"PAXMAN_CONTRACT": "", "PAXMAN_PROVIDER": "none"})["contract"] is None


def test_every_setting_has_its_own_variable():
    assert len({variable(name) for name in NAMES}) == len(NAMES)


class Loopback:
    def __init__(self, name="loopback"):
        self.name = name


def test_a_provider_is_made_and_registered(tmp_path):
    from paxman.planner.registry import CAPABILITIES

    write(tmp_path, f"[provider]\nuse = '{__name__}:Loopback'\nname = 'mine'\n")
    load_settings({}, {}, file=tmp_path / "paxman.toml").activate()
    assert CAPABILITIES.providers.get_latest("mine").name == "mine"
    CAPABILITIES.providers.unregister("mine")


def test_several_providers_are_made(tmp_path):
    from paxman.planner.registry import CAPABILITIES

    use = f"use = '{__name__}:Loopback'\n"
    write(tmp_path, f"[[provider]]\n{use}name = 'one'\n[[provider]]\n{use}name = 'two'\n")
    load_settings({}, {}, file=tmp_path / "paxman.toml").activate()
    assert [CAPABILITIES.providers.get_latest(name).name for name in ("one", "two")] == ["one", "two"]
    for name in ("one", "two"):
        CAPABILITIES.providers.unregister(name)
