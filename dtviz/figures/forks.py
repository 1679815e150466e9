"""The branches on the time-line, each with how good its end is."""

from __future__ import annotations

from dtviz.figures.kinds import Fork, Forks, Tip
from dtviz.judge.metrics import score_by
from dtviz.screen.forks import lines, parting, tips_of
from dtviz.screen.screen import Screen


def forks_frame(screen: Screen) -> Forks:
    """Where each branch leaves the time-line, and the tips of all once they are worked out."""
    if not screen.session.branches:
        return {"forks": []}
    own, *branches = lines(screen)
    tip, *others = tips_shown(screen)
    forks: list[Fork] = [
        {"branch": at, "at": parting(own, branch), **end}
        for at, (branch, end) in enumerate(zip(branches, others, strict=True))
    ]
    return {"tip": tip, "forks": forks}


def tips_shown(screen: Screen) -> list[Tip]:
    """The tip of the line, then those of its branches."""
    score, found = score_by(screen.data), tips_of(screen)
    if found is None:
        said = "not grown to its end" if screen.goes_on else "being worked out"
        return [{"held": "", "said": said} for _ in lines(screen)]
    return [
        {"held": score.text(one), "said": f"{score.name} {score.text(one)} on {found.rows}"}
        for one in found.scores
    ]
