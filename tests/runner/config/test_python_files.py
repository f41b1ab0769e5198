"""Whether a bot's file defines its class, without running it."""

from pathlib import Path

from runner.config.check_bots import class_problem


def problem(tmp_path: Path, text: str) -> tuple[str, str] | None:
    (tmp_path / "mine.py").write_text(text)
    return class_problem(tmp_path / "mine.py", "Mine")


def test_a_file_that_may_define_the_class_is_let_through(tmp_path: Path) -> None:
    for text in (
        "class Mine: ...",
        "if True:\n    class Mine: ...",
        "try:\n    from fast import Mine\nexcept ImportError:\n    from slow import Mine",
        "import somewhere as Mine",
        "Mine = make()",
        "for Mine in things: pass",
        "from elsewhere import *",
        "exec(text)",
    ):
        assert problem(tmp_path, text) is None, text
        assert (
            problem(tmp_path, text.replace("Mine", "Other").replace("*", "x").replace("exec", "print")) is not None
        ), text
    assert problem(tmp_path, "globals()['Mine'] = object") is None


def test_a_file_without_the_class_is_told_with_what_it_has_instead(tmp_path: Path) -> None:
    wanted = "a class Mine in mine.py"
    assert problem(tmp_path, "class One: ...\nclass Two: ...\nprint(Mine)") == (wanted, "One, Two alone")
    assert problem(tmp_path, "x = 1") == (wanted, "no class")
    assert problem(tmp_path, "x = 1\nclass Mine(:") == ("Python", "invalid syntax in line 2 of mine.py")


def test_a_file_with_a_zero_byte_is_told(tmp_path: Path) -> None:
    found = problem(tmp_path, "x = '\0'")
    assert found is not None
    assert "null bytes" in found[1]  # whether that is a mistake of syntax depends on Python's version
