"""What every scenario reduces to, and all that the generator knows of one.

Invariant: a shape can be generated from; parameters that make no sense are refused here, with a reason.
"""

from dataclasses import dataclass

from penstock.workload.distribution import Floats, Mix

__all__ = ["Kind", "Shape"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of attribute: how common it is, what filters ask of it, which values it takes."""

    type: str
    share: float
    operators: Mix[str]
    values: tuple[str | int | bool, ...]
    weights: Floats

    def __post_init__(self) -> None:
        if not self.values:
            raise ValueError(f"the type {self.type} needs at least one value")


@dataclass(frozen=True, slots=True)
class Shape:
    """What the generator needs to know; ranges are half-open and uniform."""

    messages: int
    attributes: range  # in a message
    interfaces: int
    filters: range | int  # of each interface; or of all together, dealt out evenly
    constraints: range  # in a filter
    attribute_names: tuple[tuple[str, ...], Floats]
    constraint_names: tuple[tuple[str, ...], Floats]
    kinds: tuple[Kind, ...]

    def __post_init__(self) -> None:
        if self.messages < 0 or self.interfaces < 1:
            raise ValueError(f"{self.messages} messages, {self.interfaces} interfaces: at least 0 and 1")
        if isinstance(self.filters, int):
            if self.filters < self.interfaces:
                raise ValueError(f"{self.filters} filters cannot give {self.interfaces} interfaces one each")
        elif not self.filters or self.filters.start < 0:
            raise ValueError(f"filters per interface: {self.filters} is not a range of counts")
        if not self.constraints or self.constraints.start < 1:
            raise ValueError(f"constraints per filter: {self.constraints} is not a range of counts from 1")
        if not self.attributes or self.attributes.start < 0:
            raise ValueError(f"attributes per message: {self.attributes} is not a range of counts")
        if self.attributes[-1] > len(self.attribute_names[0]):
            raise ValueError(
                f"a message of {self.attributes[-1]} attributes needs as many names; "
                f"there are {len(self.attribute_names[0])}"
            )
