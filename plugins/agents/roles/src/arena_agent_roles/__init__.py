"""The agent that is made of several roles, and the prompt styles for roles."""

from arena.plugin import Plugin

ROLES = Plugin(
    factory="arena_agent_roles.agent:Roles",
    summary="several roles of one player, by the phase of the decision, each with its own prompt, model and budget",
    example={
        "backend": {"use": "llamacpp"},
        "routes": {"proposal": ["planner", "proposer"], "decision": ["decision-maker"]},
        "roles": {
            "planner": {"prompt": {"style": "planner"}, "budget": 5, "lasts": "phase"},
            "proposer": {"prompt": {"style": "proposer"}, "budget": 8},
            "decision-maker": {"prompt": {"style": "decision-maker"}, "budget": 8},
        },
        "persona": "cooperative",
    },
    licence="Apache-2.0",
)

TRADECRAFT_ROLES = Plugin(
    factory="arena_agent_roles.agent:Roles",
    summary="the roles of the paper on TradeCraft: proposer, decision maker, and a planner before the crafter",
    preset={
        "routes": {"propose": ["proposer"], "decide": ["decision-maker"], "craft": ["planner", "crafter"]},
        "round_key": "turn",
        "roles": {
            "proposer": {"prompt": {"style": "proposer"}, "budget": 8, "budget_per": "phase"},
            "decision-maker": {"prompt": {"style": "decision-maker"}, "budget": 8, "budget_per": "phase"},
            "planner": {"prompt": {"style": "planner"}, "budget": 5, "budget_per": "phase", "lasts": "phase"},
            "crafter": {"prompt": {"style": "crafter"}, "budget": 10, "budget_per": "phase"},
        },
        "persona": "unprimed",
    },
    example={"backend": {"use": "llamacpp"}, "persona": "competitive"},
    licence="Apache-2.0",
)

STYLES = "arena_agent_roles:styles/"

ROLE = Plugin(
    factory=STYLES + "role.yaml",
    summary="one role of a player: its task, the persona, what other roles wrote, and what the player sees",
    licence="Apache-2.0",
)
PROPOSER = Plugin(
    factory=STYLES + "proposer.yaml",
    summary="a role that makes offers: what is lacking, what it is worth, what the other may accept",
    licence="Apache-2.0",
)
DECISION_MAKER = Plugin(
    factory=STYLES + "decision-maker.yaml",
    summary="a role that accepts or rejects: what an offer changes for both sides",
    licence="Apache-2.0",
)
PLANNER = Plugin(
    factory=STYLES + "planner.yaml",
    summary="a role that writes a plan in steps for the role that acts after it",
    licence="Apache-2.0",
)
CRAFTER = Plugin(
    factory=STYLES + "crafter.yaml",
    summary="a role that carries out a plan, one checked step at a time",
    licence="Apache-2.0",
)
HISTORIAN = Plugin(
    factory=STYLES + "historian.yaml",
    summary="a role that condenses what has happened when it becomes too long",
    licence="Apache-2.0",
)
