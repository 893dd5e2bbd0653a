"""Settings from `paxman.toml` or `[tool.paxman]`, the environment and flags; each value knows where it came from."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from paxman.budget import BY_MODEL, Budget, Policy
from paxman.contract import adapt
from paxman.contract.alternatives import adapt_all, each_of
from paxman.contract.loading import find_file as is_file
from paxman.contract.loading import find_reference, load_reference
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.errors import ConfigurationError, unknown_name
from paxman.inference.secrets import has_key_prefix, is_harmless, is_reference, is_secret, looks_secret
from paxman.learning.attaching import attach_all
from paxman.plugins import load
from paxman.telemetry import enable_opentelemetry

_TOP = ("contract", "lessons", "model", "provider", "locale", "lexicon", "labels", "telemetry")
_BUDGET = tuple(field.name for field in attrs.fields(Budget))
_POLICY = tuple(
    field.name for field in attrs.fields(Policy) if field.init and field.name not in ("locale", "lexicon", "model")
)
_MODEL_PARTS = ("", "_URL", "_TIER", "_KEY", "_PRICE", "_CACHE")
_NEAR = 0.8
"""How alike two names of variables are when one is taken for the other mistyped, from 0 to 1."""
_PERMISSIONS = ("allow_remote_inference", "allow_remote_pii", "record_inference_io", "log_raw_input")
_RECORDED = ("locale", *(f"budget.{name}" for name in _BUDGET))
_RECORDED += tuple(f"policy.{name}" for name in _POLICY if name not in _PERMISSIONS)
_UNSAID = ("default", "model")
NAMES = (*_TOP, *(f"budget.{name}" for name in _BUDGET), *(f"policy.{name}" for name in _POLICY))


@attrs.frozen
class Setting:
    """A value and its origin: a flag, a variable of the environment, a file, or the default."""

    name: str
    value: Any
    origin: str
    trusted: bool = True
    """Whether the caller gave it, or named the file that does; one that only lay there may be anybody's."""


@attrs.frozen
class Settings:
    """Everything that holds for one call."""

    values: Mapping[str, Setting]

    def __getitem__(self, name: str) -> Any:
        """The value; what names code is refused if it comes from a file that was found and not named."""
        setting = self.values[name]
        if not setting.trusted and _names_code(setting):
            raise ConfigurationError(
                f"{setting.origin} was found here, and only a file that you name may name code, as its `{name}` does. "
                f"If it is yours: --config {setting.origin}, or PAXMAN_CONFIG={setting.origin}"
            )
        return setting.value

    @property
    def budget(self) -> Budget:
        return Budget(**{name: self[f"budget.{name}"] for name in _BUDGET})

    @property
    def policy(self) -> Policy:
        said = {name: self[f"policy.{name}"] for name in _POLICY if self.values[f"policy.{name}"].origin not in _UNSAID}
        return Policy(locale=self["locale"], lexicon=self["lexicon"] or (), model=self.models or None, **said)

    @property
    def models(self) -> tuple[str, ...]:
        """The models that are named, in order."""
        given = self["model"] or ()
        return (_model_names(given) or (given,)) if isinstance(given, str) else tuple(given)

    @property
    def providers(self) -> list[Any]:
        """What is given of providers; a table without a model belongs to the named model of that kind."""
        from paxman.inference.environment import named_kind

        given = self["provider"]
        named = {kind: (model, model.partition(":")[2]) for model in self.models if (kind := named_kind(model))}
        found = []
        for each in given if isinstance(given, list) else [given] if given is not None else []:
            options = dict(each) if isinstance(each, Mapping) else {"use": each}
            called, model = named.get(options.get("use", ""), ("", ""))
            key = "path" if options.get("use") in ("local", "llama_cpp") else "model"
            if called and options.get(key, model) == model and "name" not in options:
                each = {**options, key: model, "name": called}
            found.append(each)
        return found

    @property
    def provider(self) -> Any:
        """The providers as they are given: one, a list of several, or none."""
        found = self.providers
        return found if len(found) > 1 else next(iter(found), None)

    @property
    def chosen(self) -> dict[str, Any]:
        """What decides about values and is not as by default: of locale, budget and policy."""
        usual = {
            setting.name: setting.value
            for setting in _defaults()
            if setting.name not in _TOP or setting.name == "locale"
        }
        return {name: self[name] for name, value in usual.items() if self[name] != value}

    def as_recorded(self, recorded: Mapping[str, Any]) -> Settings:
        """Locale, budget and policy as an artifact records them, unless a flag says otherwise.

        What a run may send or log is not for an artifact to say.
        """
        values = dict(self.values)
        for setting in _defaults():
            if setting.name in _RECORDED and values[setting.name].origin != "flag":
                value = recorded.get(setting.name, setting.value)
                values[setting.name] = Setting(setting.name, value, "artifact")
        return Settings(values)

    def add_labels(self, labels: Iterable[tuple[str, str]]) -> Settings:
        """The settings with more labels of fields, by path."""
        merged = {path: [words] if isinstance(words, str) else list(words) for path, words in _flat(self["labels"])}
        for path, label in labels:
            merged.setdefault(path, []).append(label)
        if not merged:
            return self
        return attrs.evolve(self, values={**self.values, "labels": Setting("labels", merged, "flag")})

    def with_labels(self, contract: CanonicalContract) -> CanonicalContract:
        """The contract with the labels that the settings add to its fields, by path."""
        given = ((_plain_path(path), words) for path, words in _flat(self["labels"]))
        labels = {path: [words] if isinstance(words, str) else list(words) for path, words in given}
        if not labels:
            return contract
        known = [_plain_path(path) for field in contract.fields for path in _paths(field)]
        strangers = (f"labels: {unknown_name('field', path, known)}" for path in labels if path not in known)
        return attrs.evolve(contract.with_labels(labels), warnings=(*contract.warnings, *strangers))

    def prepare(self, contracts: Sequence[CanonicalContract]) -> list[CanonicalContract]:
        """The contracts with the labels and the lessons of the settings."""
        found = adapt_all([self.with_labels(contract) for contract in contracts])
        return list(each_of(attach_all(found, self["lessons"])))

    def register_provider(self) -> None:
        """Make the provider known, or several: each "module:name", or a table with `use` and the arguments for it."""
        from paxman.api.registration import register_provider

        for each in self.providers:
            register_provider(_build_provider(each))

    def activate(self) -> None:
        """Register the provider and start telemetry, as far as they are configured."""
        self.register_provider()
        if self["telemetry"] is not None:
            enable_opentelemetry()


def load_settings(
    flags: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    file: Path | None = None,
) -> Settings:
    """Flags win over the environment, which wins over the file; `folder` is where the search for a file starts."""
    values = {setting.name: setting for setting in _defaults()}
    variables = os.environ if environment is None else environment
    named = file or (Path(variables["PAXMAN_CONFIG"]) if variables.get("PAXMAN_CONFIG") else None)
    found = named or find_file(folder or Path.cwd())
    if found:
        values |= _from_file(found, trusted=named is not None)
    values |= _from_environment(variables)
    values |= {name: Setting(name, value, "flag") for name, value in _known(flags or {}, "flags").items()}
    if values["model"].value is None:
        values["provider"] = _with_model(variables.get("PAXMAN_MODEL", ""), values["provider"])
    settings = Settings(values)
    for name in BY_MODEL if settings.models else ():
        if values[f"policy.{name}"].origin == "default":
            values[f"policy.{name}"] = Setting(f"policy.{name}", getattr(settings.policy, name), "model")
    _ = settings.budget, settings.policy  # a wrong value is refused here, not in the middle of a run
    return settings


def find_file(folder: Path) -> Path | None:
    """The nearest `paxman.toml`, or `pyproject.toml` with a `[tool.paxman]`, in this folder or above it."""
    for place in (folder, *folder.parents):
        if (place / "paxman.toml").is_file():
            return place / "paxman.toml"
        project = place / "pyproject.toml"
        if project.is_file() and "paxman" in _read(project).get("tool", {}):
            return project
    return None


def read_contract(name: str) -> CanonicalContract:
    """The contract in a file, or the one that "module:Model" or "model.py:Model" names."""
    code = code_of(name)
    if code is None:
        return adapt(name if is_file(name) or name.lstrip().startswith("{") else Path(name))
    try:
        return adapt(code())
    except TypeError as error:
        raise ConfigurationError(f"{name} is no contract: {error}") from None


def load_named(reference: str) -> Any:
    """What "module:name" names, where the module may be a file in this folder."""
    sys.path.insert(0, "")
    try:
        return load(reference)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigurationError(f"there is no {reference}: {error}; it is named as module:name") from None
    finally:
        sys.path.remove("")


def variable(name: str) -> str:
    """The environment's name of a setting: `policy.confidence_floor` is PAXMAN_CONFIDENCE_FLOOR; labels have none."""
    return "" if name == "labels" else "PAXMAN_" + name.rpartition(".")[2].upper()


def parse_text(name: str, text: str) -> Any:
    """A setting's value from a flag or the environment, where everything is text."""
    _known({name: {}}, "settings")
    if text.lower() in ("", "none"):
        return None
    if name == "labels":
        raise ConfigurationError("labels are given with --label, or in paxman.toml: [labels] total = ['Amount due']")
    return _parser(name)(text)


def _parser(name: str) -> Callable[[str], Any]:
    section, _, key = name.rpartition(".")
    if section == "budget" and key != "max_total_cost_usd":
        return lambda text: _number(name, text, int)
    if key == "confidence_floor":
        return lambda text: _number(name, text, float)
    if section == "policy" and isinstance(getattr(Policy(), key), bool):
        return lambda text: _flag(name, text)
    return str


def _number(name: str, text: str, kind: Callable[[str], Any]) -> Any:
    try:
        return kind(text)
    except ValueError:
        raise ConfigurationError(f"{name} must be a number, got {text!r}") from None


def _flag(name: str, text: str) -> bool:
    if text.lower() not in ("true", "false", "yes", "no", "1", "0", "on", "off"):
        raise ConfigurationError(f"{name} must be true or false, got {text!r}")
    return text.lower() in ("true", "yes", "1", "on")


def _defaults() -> Iterator[Setting]:
    budget, policy = Budget(), Policy()
    for name in _TOP:
        yield Setting(name, {} if name == "labels" else None, "default")
    for name in _BUDGET:
        yield Setting(f"budget.{name}", getattr(budget, name), "default")
    for name in _POLICY:
        yield Setting(f"policy.{name}", getattr(policy, name), "default")


def _from_file(file: Path, trusted: bool) -> dict[str, Setting]:
    content = _read(file)
    if file.name == "pyproject.toml":
        content = content.get("tool", {}).get("paxman", {})
    flat: dict[str, Any] = {}
    for name, value in content.items():
        section = name in ("budget", "policy") and isinstance(value, dict)
        flat |= {f"{name}.{key}": item for key, item in value.items()} if section else {name: value}
    if isinstance(flat.get("lexicon"), str | list):
        given = flat["lexicon"] if isinstance(flat["lexicon"], list) else [flat["lexicon"]]
        flat["lexicon"] = [_beside(file, each) for each in given]
    if isinstance(flat.get("contract"), str):
        flat["contract"] = _beside(file, flat["contract"])
    return {name: Setting(name, value, str(file), trusted) for name, value in _known(flat, str(file)).items()}


def _names_code(setting: Setting) -> bool:
    """Whether a contract or provider is an import: module:Name, or a file of Python."""
    if setting.name == "contract":
        return isinstance(setting.value, str) and code_of(setting.value) is not None
    given = setting.value if isinstance(setting.value, list) else [setting.value]
    uses = [each.get("use") if isinstance(each, Mapping) else each for each in given]
    return setting.name == "provider" and any(isinstance(use, str) and ":" in use for use in uses)


def code_of(name: str) -> Callable[[], Any] | None:
    """What imports the model that a contract's name stands for; None for a file that only holds data."""
    python = find_reference(name)
    if python:
        return lambda: load_reference(*python)
    module, colon, attribute = name.partition(":")
    named = colon and attribute.isidentifier() and all(part.isidentifier() for part in module.split("."))
    return (lambda: load_named(name)) if named else None


def _beside(file: Path, contract: str) -> str:
    """A contract's path is relative to the file that names it."""
    part = contract.rfind(":") if ".py:" in contract else contract.find("#")
    name = contract[:part] if part > 0 else contract
    return str(file.parent / name) + contract[len(name) :] if (file.parent / name).exists() else contract


def _from_environment(environment: Mapping[str, str]) -> dict[str, Setting]:
    _check_variables(environment)
    given = {name: environment[variable(name)] for name in NAMES if environment.get(variable(name)) is not None}
    if "model" in given and (environment.get("PAXMAN_PROVIDER") or not _model_names(given["model"])):
        del given["model"]  # the name of a model by itself goes to the provider
    parsed = {name: parse_text(name, text) for name, text in given.items()}
    return {name: Setting(name, value, variable(name)) for name, value in _known(parsed, "environment").items()}


def _model_names(text: str) -> tuple[str, ...]:
    """The models of a text such as "anthropic:NAME,openai:NAME"; none if it is of another form."""
    from paxman.inference.environment import named_kind

    parts = [part.strip() for part in text.split(",")]
    return tuple(parts) if all(map(named_kind, parts)) else (text,) if named_kind(text) else ()


def _with_model(model: str, provider: Setting) -> Setting:
    """PAXMAN_MODEL wins over the model that a file names. One that nobody would ask is refused."""
    if not model or provider.origin in ("flag", variable("provider")):
        return provider
    from paxman.inference.environment import KINDS

    if isinstance(provider.value, Mapping) and provider.value.get("use") in KINDS and "model" in provider.value:
        origin = f"PAXMAN_MODEL and {provider.origin}"
        return attrs.evolve(provider, value={**provider.value, "model": model}, origin=origin)
    if provider.value is not None:
        return provider
    kind, colon, _ = model.partition(":")
    unknown = unknown_name("provider", kind, KINDS) if colon else "it names no provider."
    told = f"PAXMAN_MODEL is {model!r}: {unknown}"
    if has_key_prefix(model):
        told = "PAXMAN_MODEL looks like a key."
    raise ConfigurationError(f"{told} Write provider:model, such as openai:gpt-4o-mini, or set PAXMAN_PROVIDER")


def model_settings(provider: Any, environment: Mapping[str, str] | None = None) -> list[Setting]:
    """What the environment says of the model, where the provider is one of the kinds and nothing else says it."""
    from paxman.inference.environment import KINDS

    variables = os.environ if environment is None else environment
    names = [f"model{each.lower()}" for each in _MODEL_PARTS] if provider in tuple(KINDS) else []
    found = [(name, variables.get(variable(name))) for name in names]
    return [Setting(name, _shown_option(name, value), variable(name)) for name, value in found if value]


def _shown_option(name: str, value: str) -> Any:
    return "(hidden)" if has_key_prefix(value.rpartition(":")[2]) else _masked_option(name, value)


def _check_variables(environment: Mapping[str, str]) -> None:
    """Refuse a variable that is almost one of ours; others may be what contracts and providers refer to."""
    import difflib

    known = {
        *filter(None, map(variable, NAMES)),
        "PAXMAN_CONFIG",
        "PAXMAN_DEBUG",
        *(f"PAXMAN_MODEL{each}" for each in _MODEL_PARTS),
    }
    bare = {name.removeprefix("PAXMAN_"): name for name in sorted(known)}
    for name in sorted(environment):
        key = name.removeprefix("PAXMAN_")
        if key == name or name in known:
            continue
        shortened = [each for each in bare if "_" in key and set(key.split("_")) <= set(each.split("_"))]
        for near in difflib.get_close_matches(key, bare, 1, _NEAR) or shortened:
            raise ConfigurationError(f"{name} in the environment is no setting. Did you mean {bare[near]}?")


def _unknown(name: str) -> str:
    """What to say of a wrong name: its namesake elsewhere, or the nearest in its own section."""
    section, _, key = name.rpartition(".")
    beside = (
        [known for known in NAMES if known.startswith(f"{section}.")] if section else [*_TOP, "[budget]", "[policy]"]
    )
    namesakes = [known for known in NAMES if known.rpartition(".")[2] == key]
    return unknown_name("setting", name, namesakes or beside or NAMES)


def _known(given: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    for name in given:
        if name in ("budget", "policy"):
            raise ConfigurationError(f"{where}: {name} is a table: [{name}]")
        if name not in NAMES:
            raise ConfigurationError(f"{where}: {_unknown(name)}")
    if given.get("telemetry") not in (None, "opentelemetry", {}):
        raise ConfigurationError(f"{where}: telemetry is 'opentelemetry' or left out")
    labels = given.get("labels", {})
    if not isinstance(labels, Mapping) or not all(_are_texts(words) for _, words in _flat(labels)):
        raise ConfigurationError(f"{where}: labels is a table of field paths, each with a list of labels")
    if not isinstance(given.get("contract") or "", str):
        raise ConfigurationError(f"{where}: contract is the path of a file, or module:PydanticModel")
    model = given.get("model") or ""
    if not _are_texts(model):
        raise ConfigurationError(f"{where}: model is vendor:name, such as openai:gpt-4o-mini, or a list of these")
    provider = given.get("provider")
    for each in provider if isinstance(provider, list) else [provider] if provider else []:
        _check_provider(each, where)
    return given


def _check_provider(given: Any, where: str) -> None:
    """Refuse what cannot name a provider, without repeating it: it may be a key in the wrong place."""
    if not isinstance(given, str | Mapping):
        raise ConfigurationError(f"{where}: provider is text or a table, or a list of these")
    use = given if isinstance(given, str) else given.get("use", "")
    if use and isinstance(use, str) and not _is_provider_name(use):
        from paxman.inference.environment import KINDS

        raise ConfigurationError(
            f"{where}: provider is one of {', '.join(KINDS)}, or a class as module:name; what was given is neither. "
            "A model goes into PAXMAN_MODEL or `model`, a key into a variable that `api_key` names as env:NAME"
        )


def _is_provider_name(text: str) -> bool:
    from paxman.inference.environment import KINDS

    module, colon, name = text.partition(":")
    if not colon:
        return text.isidentifier() and not looks_secret(text)
    parts = (*module.split("."), name)
    return module not in KINDS and all(part.isidentifier() for part in parts) and not has_key_prefix(name)


def _are_texts(words: Any) -> bool:
    return isinstance(words, str) or (isinstance(words, list | tuple) and all(isinstance(word, str) for word in words))


def _read(file: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(file.read_text("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{file} cannot be read: {error}") from None


_LOGIN, _QUERY = re.compile(r"//[^/?#\s]*@"), re.compile(r"([?&;]([^=&;#\s]*)=)[^&;#\s]*")
_PLAIN = frozenset({"use", "model", "model_url", "name", "base_url", "tier", "cache", "key_header"})
"""Options of providers that are shown as they are, but for keys inside an address."""


def _hide(part: re.Match[str]) -> str:
    return f"{part[1]}(hidden)" if is_secret(part[2]) else part[0]


def masked(value: Any) -> Any:
    """A setting as it may be shown: what is or looks like a key, also in an address, is hidden."""
    if isinstance(value, list):
        return [masked(each) for each in value]
    if isinstance(value, str):
        return _LOGIN.sub("//(hidden)@", _QUERY.sub(_hide, value))
    if not isinstance(value, Mapping):
        return getattr(value, "value", value)
    return {name: _masked_option(name, each) for name, each in value.items()}


def _masked_option(name: str, value: Any) -> Any:
    if name == "headers" and isinstance(value, Mapping):
        shown = {key for key, each in value.items() if is_reference(each) or is_harmless(key)}
        return {key: each if key in shown else "(hidden)" for key, each in value.items()}
    if name in _PLAIN or is_reference(value):
        return masked(value)
    return "(hidden)" if is_secret(name) or looks_secret(value) else masked(value)


def _paths(field: CanonicalField) -> Iterator[str]:
    yield field.path
    for child in (*field.children, *field.columns):
        yield from _paths(child)


def _plain_path(path: str) -> str:
    """A path as people write it: `lines.price` for `lines[].price`."""
    return path.replace("[]", "")


def _flat(labels: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Labels by dotted path, of tables inside tables, too."""
    for name, words in labels.items():
        if isinstance(words, Mapping):
            yield from ((f"{name}.{rest}", more) for rest, more in _flat(words))
        else:
            yield name, words


def _build_provider(given: Any) -> Any:
    from paxman.inference.environment import KINDS, by_name

    options = {"use": given} if isinstance(given, str) else dict(given)
    use = options.pop("use", None)
    if not isinstance(use, str) or (":" not in use and use not in KINDS):
        wrong = (
            unknown_name("kind", use, KINDS)
            if isinstance(use, str)
            else f"`use` is missing. Known: {', '.join(KINDS)}."
        )
        raise ConfigurationError(f'provider names what to use: {wrong} Or a class: "my_package:MyProvider".')
    try:
        made = KINDS[use].make if use in KINDS else load(use)
        _check_options(made, options.keys() - {"cache"} if use in KINDS else options)
        return by_name(use, options) if use in KINDS else made(**options)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise ConfigurationError(f"provider {use!r} cannot be made: {error}") from None


def _check_options(maker: Any, options: Iterable[str]) -> None:
    import inspect

    known = inspect.signature(maker).parameters
    if all(each.kind is not each.VAR_KEYWORD for each in known.values()):
        for name in sorted(set(options) - known.keys()):
            raise TypeError(unknown_name("option", name, known))
