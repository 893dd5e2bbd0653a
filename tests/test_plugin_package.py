"""A plugin in a package of its own: built as a wheel, installed, and found through its entry points."""

import subprocess
import sys
import textwrap
from pathlib import Path

REPOSITORY = Path(__file__).parent.parent
PLUGIN = {
    "pyproject.toml": """
        [build-system]
        requires = ["hatchling"]
        build-backend = "hatchling.build"

        [project]
        name = "paxman-shout"
        version = "1.0"

        [project.entry-points."paxman.capabilities"]
        shout = "paxman_shout:Shout"

        [project.entry-points."paxman.readers"]
        whisper = "paxman_shout:WhisperReader"

        [project.entry-points."paxman.adapters"]
        words = "paxman_shout:WordsAdapter"
        """,
    "paxman_shout/__init__.py": """
        from paxman.capabilities.base import Candidate, CapabilityResult, CapabilitySpec
        from paxman.contract import adapt
        from paxman.documents.document import ByteRange, Document


        class Shout:
            spec = CapabilitySpec("shout", "1.0")

            def invoke(self, context):
                word = next((w for w in context.document.text.split() if w.isupper()), None)
                if word is None:
                    return CapabilityResult()
                start = context.document.text.index(word)
                ref = context.evidence((start, start + len(word)))
                return CapabilityResult((Candidate(word, (ref,)),))


        class WhisperReader:
            name, version = "whisper", "1.0"

            def sniff(self, head, name):
                return 100 if head.startswith(b"WHISPER ") else 0

            def read(self, data, name, limits):
                return Document("whisper", data[8:].decode().upper(), lambda span: ByteRange(span[0] + 8, span[1] + 8))


        class WordsAdapter:
            name, version = "words", "1.0"

            def accepts(self, contract):
                return isinstance(contract, dict) and set(contract) == {"words"}

            def adapt(self, contract, **options):
                fields = [{"name": w, "type": "STRING", "required": True} for w in contract["words"]]
                return adapt({"id": "words", "version": "1", "fields": fields})

            def export(self, canonical):
                return {"words": [field.name for field in canonical.fields]}
        """,
}
PROGRAM = """
import paxman
artifact = paxman.normalize("hello WORLD", {"words": ["word"]})
print(artifact["word"].value, artifact["word"].evidence_refs[0].capability_id)
print(paxman.normalize(b"WHISPER secret", {"words": ["word"]})["word"].value)
"""


def test_a_plugin_package_is_built_installed_and_used(tmp_path):
    for name, text in PLUGIN.items():
        path = tmp_path / "plugin" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    run = [sys.executable, "-m"]
    subprocess.run(
        [*run, "build", "--no-isolation", "--wheel", str(tmp_path / "plugin")], check=True, capture_output=True
    )
    wheel = next((tmp_path / "plugin" / "dist").glob("*.whl"))
    site = tmp_path / "site"
    subprocess.run(
        [*run, "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(site), str(wheel)], check=True
    )
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM], env={"PYTHONPATH": str(site)}, capture_output=True, text=True, check=False
    )
    assert (found.stdout, found.stderr) == ("WORLD shout\nSECRET\n", "")
