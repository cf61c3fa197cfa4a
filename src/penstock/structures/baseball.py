"""Baseball scores, the first application of the match-structure paper.

A message is a game, two teams in order; an interest is all games, those of a team, or a game. The paper's own
counts (465 games of 30 teams) include games of a team against itself.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from random import Random
from typing import TypeAlias

from penstock.errors import StructureError
from penstock.structures.application import Scan

__all__ = ["Baseball", "BaseballInterest", "Game"]

Game: TypeAlias = tuple[int, int]
BaseballInterest: TypeAlias = tuple[()] | tuple[int] | Game


@dataclass(frozen=True, slots=True)
class Baseball:
    """Teams are numbers from 0; an interest is (), (team,) or (team, team)."""

    teams: int = 30

    def topic(self, interest: BaseballInterest) -> BaseballInterest:
        """The interest with its teams in order."""
        if len(interest) > 2 or any(team not in range(self.teams) for team in interest):
            raise StructureError(f"{interest} is not at most two of the teams 0 to {self.teams - 1}")
        return (min(interest), max(interest)) if len(interest) == 2 else interest

    def wants(self, topic: BaseballInterest, message: Game) -> bool:
        """Whether the game is wanted."""
        match topic:
            case ():
                return True
            case (team,):
                return team in message
        return topic == message

    def covers(self, one: BaseballInterest, other: BaseballInterest) -> bool:
        """All is above a team, a team above its games."""
        match one:
            case ():
                return True
            case (team,):
                return team in other
        return one == other

    def universe(self) -> Iterator[Game]:
        """All games."""
        return combinations_with_replacement(range(self.teams), 2)

    def index(self) -> Scan[BaseballInterest, Game]:
        """An empty list of interests."""
        return Scan(self.wants)

    def interests(
        self, count: int, seed: int, mix: tuple[float, float, float] = (0.4, 0.5, 0.1)
    ) -> list[BaseballInterest]:
        """Interests as in the paper: shares of one team, of a game, and of all; alike for the same seed."""
        draw = Random(f"baseball interests {seed}")
        games = list(self.universe())
        kinds = draw.choices(range(3), mix, k=count)
        return [((draw.randrange(self.teams),), draw.choice(games), ())[kind] for kind in kinds]

    def messages(self, count: int, seed: int) -> list[Game]:
        """Games, each as likely as any other; alike for the same seed."""
        return Random(f"baseball messages {seed}").choices(list(self.universe()), k=count)
