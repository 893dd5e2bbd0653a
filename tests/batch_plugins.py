"""Capabilities that misbehave or cost money, for batches under test; workers call `register` through `setup`."""

import multiprocessing
import os
import signal
import time
from decimal import Decimal

from paxman.api.registration import register_capability
from paxman.capabilities.base import (
    NOTHING,
    Candidate,
    CapabilityResult,
    CapabilitySpec,
    CapabilityTier,
    ChainStep,
    CostHint,
)
from paxman.planner.registry import CAPABILITIES
from paxman.types import FieldType

CONTRACT = {
    "id": "letter",
    "version": "1",
    "fields": [
        {"name": "reference", "type": "STRING", "required": True, "labels": ["Reference"]},
        {"name": "issued", "type": "DATE", "required": True, "labels": ["Date"]},
        {"name": "total", "type": "MONEY", "required": False, "labels": ["Total"]},
    ],
}


def letter(number, extra=""):
    return f"Reference: LTR-{1000 + number}\nDate: 2025-03-{number % 28 + 1:02}\nTotal: {number}.50 EUR\n{extra}"


class Hostile:
    """Does what the document tells it to."""

    spec = CapabilitySpec("hostile", "1.0", step=ChainStep.EXPLICIT_EVIDENCE, output_types={FieldType.STRING})

    def invoke(self, context):
        text = context.document.text
        if "CRASH" in text:
            os.abort()
        if "HANG" in text:
            time.sleep(1000)
        if "HUNGRY" in text:
            hoard = [bytearray(20_000_000) for _ in range(50)]
            time.sleep(1000 * len(hoard))
        return NOTHING


class Killer:
    """Ends the process that its own was started by, once, at the document that says so."""

    spec = CapabilitySpec("killer", "1.0", step=ChainStep.EXPLICIT_EVIDENCE, output_types={FieldType.STRING})

    def invoke(self, context):
        if "KILL" in context.document.text and os.path.exists(os.environ["BATCH_TRAP"]):
            os.unlink(os.environ["BATCH_TRAP"])
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(10)
        return NOTHING


class Counted:
    """Takes its time, and writes down each document that it is asked about."""

    spec = CapabilitySpec("counted", "1.0", step=ChainStep.EXPLICIT_EVIDENCE, output_types={FieldType.STRING})

    def invoke(self, context):
        time.sleep(0.2)
        with open(os.environ["BATCH_COUNT"], "a") as file:
            file.write(context.document.text.partition("\n")[0] + "\n")
        return NOTHING


class Paid:
    """A remote model that always answers, for a cent."""

    spec = CapabilitySpec(
        "paid",
        "1.0",
        tier=CapabilityTier.REMOTE_INFERENCE,
        cost_estimate=CostHint(10, 1, Decimal("0.01")),
        output_types={FieldType.BOOLEAN},
        deterministic=False,
    )

    def invoke(self, context):
        return CapabilityResult((Candidate(True, (context.evidence((0, 6)),)),), usd=Decimal("0.01"))


def register():
    if "hostile" not in [capability.spec.id for capability in CAPABILITIES]:
        register_capability(Hostile())


def register_paid():
    if "paid" not in [capability.spec.id for capability in CAPABILITIES]:
        register_capability(Paid())


def register_counted():
    if "counted" not in [capability.spec.id for capability in CAPABILITIES]:
        register_capability(Counted())


def register_killer():
    if "killer" not in [capability.spec.id for capability in CAPABILITIES]:
        register_capability(Killer())


def start_badly():
    """Ends as many workers in their first moment as the trap says."""
    trap = os.environ["BATCH_TRAP"]
    if multiprocessing.parent_process() and (left := os.path.getsize(trap)):
        os.truncate(trap, left - 1)
        os.kill(os.getpid(), signal.SIGKILL)


def register_newer():
    """The next version of the hostile capability, which is as harmless to harmless documents."""
    register()
    newer = Hostile()
    newer.spec = CapabilitySpec("hostile", "1.1", step=ChainStep.EXPLICIT_EVIDENCE, output_types={FieldType.STRING})
    register_capability(newer)


def forget():
    """Undo what a batch's setup did in this process."""
    from paxman.batch import job

    for name in ("hostile", "killer", "counted", "paid"):
        CAPABILITIES.unregister(name)
    job._called.clear()
    job.load_job.cache_clear()
