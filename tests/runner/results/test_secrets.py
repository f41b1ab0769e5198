"""Secrets of a results folder: nobody else's while a run lasts, everybody's afterwards, and then never used again."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridjoust.runner.results.secrets import FILE, Secrets, load_secrets, open_secrets, publish_secrets, save_secrets
from gridjoust.runner.wire.errors import ConfigError


def mode(results: Path) -> int:
    return (results / FILE).stat().st_mode & 0o777


def test_a_folder_has_one_key_that_its_owner_alone_can_read_until_it_is_published(tmp_path: Path) -> None:
    assert load_secrets(tmp_path) is None
    opened = open_secrets(tmp_path)
    assert mode(tmp_path) == 0o600
    assert [len(key) for key in opened.keys] == [32]
    assert open_secrets(tmp_path) == load_secrets(tmp_path) == opened
    publish_secrets(tmp_path)
    assert mode(tmp_path) == 0o644
    published = load_secrets(tmp_path)
    assert published is not None
    assert (published.keys, published.published) == (opened.keys, True)
    assert [file.name for file in tmp_path.iterdir()] == [FILE]


def test_two_folders_have_different_keys_and_one_without_secrets_publishes_nothing(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
    assert open_secrets(tmp_path / "a").keys != open_secrets(tmp_path / "b").keys
    publish_secrets(tmp_path)
    assert load_secrets(tmp_path) is None


@pytest.mark.parametrize("how", ["published", "copied"])
def test_a_key_that_others_may_know_is_replaced_and_kept_beside_the_new_one(tmp_path: Path, how: str) -> None:
    first = open_secrets(tmp_path)
    if how == "published":
        publish_secrets(tmp_path)
    else:
        (tmp_path / FILE).chmod(0o644)
    again = open_secrets(tmp_path)
    assert mode(tmp_path) == 0o600
    assert again.keys[1:] == first.keys
    assert again.keys[0] != first.keys[0]
    assert not again.published
    assert open_secrets(tmp_path) == again
    save_secrets(tmp_path, Secrets(seal_key=again.seal_key))
    assert open_secrets(tmp_path).keys == again.keys[:1]


@pytest.mark.parametrize("text", ["", "{}", '{"seal_key": "xyz"}', '{"seal_key": "00"}', "[" * 5000, "\udcff"])
def test_a_damaged_file_is_one_line_with_its_name(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, errors="surrogateescape")
    with pytest.raises(ConfigError, match=r"secret\.json: expected the secrets of a results folder, got: "):
        open_secrets(tmp_path)
