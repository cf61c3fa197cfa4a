"""A session with one neighbour: who we are to each other, and control frames that arrive once and in order.

The epochs of both ends name a session, and every frame of it carries both, so nothing of an earlier one is
taken for news. One update is under way at a time: what changes meanwhile is told in the next, as it is by
then. So buffers are bounded, whatever the neighbour does, and news that overtake each other are told once.
"""

from collections.abc import Hashable
from typing import Final, Generic, TypeVar

from penstock.network.frame import Ack, Change, Hello, LinkState, RouterId, Sources, Update

__all__ = ["Session"]

E = TypeVar("E", bound=Hashable)

MAX_BACKOFF: Final = 5  # doublings of the time after which a frame is sent again


class Session(Generic[E]):
    """One end of a link that is up: hello first, then updates both ways."""

    __slots__ = (
        "_again", "_received", "_sent", "_tries", "ack_due", "cost", "dirty", "echo", "epoch", "hello_due",
        "is_open", "peer", "states", "told", "under_way",
    )  # fmt: skip

    def __init__(self, peer: RouterId, cost: int, epoch: int) -> None:
        self.peer = peer
        self.cost = cost
        self.epoch = epoch
        self._begin(0)

    def _begin(self, echo: int) -> None:
        self.echo = echo  #: the epoch of the other end, 0 while it is unknown
        self.is_open = False
        self.hello_due = True
        self.ack_due = False
        self.told: dict[E, Sources] = {}  #: what the neighbour knows, or will once the update has arrived
        self.dirty: dict[E, None] = {}  #: entries that may have to be told in a new way
        self.states: dict[RouterId, None] = {}  #: routers whose link state the neighbour may lack
        self.under_way: Update[E] | None = None
        self._sent = self._received = 0
        self._again = self._tries = 0

    @property
    def is_quiet(self) -> bool:
        """Open, and nothing is left to be said or confirmed."""
        return (
            self.is_open
            and self.under_way is None
            and not (self.hello_due or self.ack_due or self.dirty or self.states)
        )

    @property
    def due(self) -> int | None:
        """When to send again what has not been answered."""
        return None if self.is_open and self.under_way is None else self._again

    def on_hello(self, hello: Hello) -> bool:
        """Take a hello; whether it ends what was open, since the other end has begun anew."""
        if hello.epoch < self.echo:
            return False
        ended = False
        if hello.epoch > self.echo:
            ended = self.is_open
            self._begin(hello.epoch)
        if hello.echo == self.epoch:
            self.is_open = True
        else:
            self.hello_due = True
        return ended

    def is_ours(self, frame: Update[E] | Ack) -> bool:
        """Whether a frame is of this very session; the first one that is opens it."""
        if frame.epoch != self.echo or frame.echo != self.epoch:
            return False
        self.is_open = True
        return True

    def on_update(self, update: Update[E]) -> bool:
        """Whether an update is the next one, to be applied; what came before is confirmed again."""
        if update.sequence > self._received + 1:
            return False
        self.ack_due = True
        if update.sequence <= self._received:
            return False
        self._received = update.sequence
        return True

    def on_ack(self, ack: Ack) -> None:
        """The update under way has arrived."""
        if self.under_way is not None and ack.sequence == self._sent:
            self.under_way = None

    def hello(self, router: RouterId, format_: str, now: int, timeout: int) -> Hello | None:
        """The hello to send now, if any: at first, in answer, and again until the session is open."""
        if not self.hello_due and (self.is_open or now < self._again):
            return None
        self.hello_due = False
        self._later(now, timeout)
        return Hello(router, self.epoch, self.echo, format_)

    def ack(self) -> Ack | None:
        """The acknowledgement to send now, if there is one."""
        if not self.ack_due:
            return None
        self.ack_due = False
        return Ack(self.epoch, self.echo, self._received)

    def repeat(self, now: int, timeout: int) -> Update[E] | None:
        """The update under way, if it is time to send it again."""
        if self.under_way is None or now < self._again:
            return None
        self._later(now, timeout)
        return self.under_way

    def send(
        self, states: tuple[LinkState, ...], changes: tuple[Change[E], ...], now: int, timeout: int
    ) -> Update[E]:
        """The next update; the one before has been acknowledged."""
        self._sent += 1
        self._tries = 0
        self._later(now, timeout)
        self.under_way = Update(self.epoch, self.echo, self._sent, states, changes)
        return self.under_way

    def _later(self, now: int, timeout: int) -> None:
        self._again = now + (timeout << min(self._tries, MAX_BACKOFF))
        self._tries += 1
