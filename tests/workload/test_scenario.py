"""Scenarios carry exactly the papers' parameters and refuse senseless ones."""

from dataclasses import fields, replace

import pytest

from penstock.workload import Distribution, Linear, Mix, Scenario2001, Scenario2002


def test_the_parameters_are_those_of_the_papers() -> None:
    of_2002 = "M a_l a_h I f_l f_h c_l c_h D_a D_c D_t D_os D_oi D_s D_i"
    of_2001 = "N I F AN CN A C DT DO SV DSV IV DIV DBV"
    assert [field.name for field in fields(Scenario2002)] == of_2002.split()
    assert [field.name for field in fields(Scenario2001)] == of_2001.split()


def test_constraint_names_are_the_attribute_names_unless_said_otherwise() -> None:
    shape = Scenario2002(I=1, D_a=Distribution(60, Linear())).shape()
    assert shape.constraint_names[0] == shape.attribute_names[0]
    assert shape.constraint_names[1].tolist() == shape.attribute_names[1].tolist()
    assert len(Scenario2002(I=1, D_c=Distribution(60)).shape().constraint_names[0]) == 60
    assert len(Scenario2001(F=1, A=60).shape().constraint_names[0]) == 60
    assert len(Scenario2001(F=1, A=60, C=70).shape().constraint_names[0]) == 70


def test_one_interface_for_each_filter_is_the_default_of_2001() -> None:
    assert Scenario2001(F=30).shape().interfaces == 30
    assert Scenario2001(F=30, I=2).shape().interfaces == 2


@pytest.mark.parametrize(
    ("scenario", "complaint"),
    [
        (Scenario2002(I=0), "0 interfaces"),
        (Scenario2002(I=1, M=-1), "-1 messages"),
        (Scenario2002(I=1, f_l=3, f_h=3), "filters per interface"),
        (Scenario2002(I=1, f_l=-1, f_h=3), "filters per interface"),
        (Scenario2002(I=1, c_l=0), "constraints per filter"),
        (Scenario2002(I=1, a_l=5, a_h=5), "attributes per message"),
        (Scenario2002(I=1, D_a=Distribution(17)), "18 attributes"),
        (Scenario2002(I=1, D_t=Mix((("int", 1), ("float", 1)))), "no values of type float"),
        (Scenario2002(I=1, D_i=Distribution(0)), "int needs at least one value"),
        (Scenario2001(F=10, I=11), "10 filters cannot give 11 interfaces"),
        (Scenario2001(F=10, A=5000), "5000 words"),
    ],
)
def test_senseless_parameters_are_refused(scenario: Scenario2001 | Scenario2002, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        scenario.shape()


def test_scenarios_are_values() -> None:
    scenario = Scenario2002(I=20, f_h=100)
    assert replace(scenario, I=21) != scenario == Scenario2002(I=20, f_h=100)
    assert hash(scenario) == hash(Scenario2002(I=20, f_h=100))
