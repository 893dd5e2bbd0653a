"""Field-centric planning: one chain per field, cheapest sufficient step first."""

from paxman.planner.field_plan import ExecutionPlan, FieldPlan, FieldPlanStep, PlanDiagnostic, ResolutionPolicy
from paxman.planner.input_profile import InputProfile, make_profile
from paxman.planner.planner import plan
from paxman.planner.policies import EffectivePolicy, derive_effective_policy

__all__ = [
    "EffectivePolicy",
    "ExecutionPlan",
    "FieldPlan",
    "FieldPlanStep",
    "InputProfile",
    "PlanDiagnostic",
    "ResolutionPolicy",
    "derive_effective_policy",
    "make_profile",
    "plan",
]
