"""A task of planning: a domain, a problem, and what is known about it."""

import attrs


@attrs.frozen
class PlanningTask:
    """A task of planning with what is known about it.

    ``plan`` is the reference plan, an action in parentheses each, and ``found_by`` who found it; both are ``None``
    where no plan is known. ``optimal`` says whether it is known to be a shortest one. ``classes`` are ``spatial``,
    ``sequential`` and ``resource``. ``legal_actions`` is the mean number of applicable actions along the plan, and
    ``state_space`` the logarithm to base 10 of the number of states times that mean; ``is_counted`` says that the
    states were counted, otherwise they are bounded from above. ``None`` stands for what was not measured.
    """

    domain: str
    number: int
    domain_text: str
    problem_text: str
    plan: tuple[str, ...] | None = None
    found_by: str | None = None
    optimal: bool = False
    classes: tuple[str, ...] = ()
    legal_actions: float | None = None
    state_space: float | None = None
    is_counted: bool = False
    title: str = ""

    @property
    def name(self) -> str:
        """How the task is called: its domain and number, or the path of its file."""
        return self.title or f"{self.domain}#{self.number}"
