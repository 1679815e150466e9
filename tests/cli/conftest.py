from __future__ import annotations

from pathlib import Path

import pytest

FRUIT = "width,height,fruit\n1,5,lemon\n2,4,lemon\n3,1,apple\n4,,apple\n4,2,apple\n"


@pytest.fixture
def fruit(tmp_path: Path) -> str:
    file = tmp_path / "fruit.csv"
    file.write_text(FRUIT)
    return str(file)
