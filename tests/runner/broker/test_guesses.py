"""Wrong passwords wait for their answer, and each of an address longer than the one before."""

from gridjoust.runner.broker.guesses import FREE, LONGEST_S, Guesses


def test_each_wrong_password_of_an_address_waits_longer_than_the_one_before_and_those_of_another_do_not() -> None:
    now_s = 0.0
    guesses = Guesses(now_s=lambda: now_s)
    delays = [guesses.delay_s("192.0.2.1") for _ in range(100)]
    assert delays[:FREE] == [0.0] * FREE
    assert delays[FREE : FREE + 4] == [0.1, 0.2, 0.4, 0.8]
    assert delays[-1] == LONGEST_S
    assert guesses.delay_s("192.0.2.2") == 0.0
    now_s = 100.0
    assert guesses.delay_s("192.0.2.1") == 0.0


def test_no_more_addresses_are_remembered_than_the_latest() -> None:
    guesses = Guesses(now_s=lambda: 0.0)
    for _ in range(FREE + 1):
        guesses.delay_s("192.0.2.1")
    for number in range(2000):
        guesses.delay_s(f"2001:db8::{number:x}")
    assert len(guesses._wrong) <= 1024
    assert guesses.delay_s("192.0.2.1") == 0.0
