"""``make fuzz``: runs the targets in turn, each for some minutes."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import click

from tools.fuzz.targets import TARGETS

FOLDER = Path("build/fuzz")
MAX_MEMORY_MB = 3000
HANG_S = 300
"""Seconds of wall time after which libFuzzer takes an input for one that hangs."""


@click.command()
@click.argument("names", nargs=-1, metavar="[TARGET]...", type=click.Choice(list(TARGETS)))
@click.option("--minutes", default=1.0, show_default=True, type=click.FloatRange(0.01), help="For each target.")
@click.option("--seed", default=0, type=click.IntRange(0), help="The same inputs again.  [default: others each time]")
@click.option("--replay", type=click.Path(exists=True, path_type=Path), help="Only run this input through the TARGET.")
def fuzz(names: tuple[str, ...], minutes: float, seed: int, replay: Path | None) -> None:
    """Fuzz the TARGETs, by default all. The corpus and what is found stay in build/fuzz/TARGET."""
    if replay:
        for name in names:
            TARGETS[name].run(replay.read_bytes())
        return
    failed = [name for name in names or TARGETS if not run(name, minutes, seed)]
    if failed:
        raise click.ClickException(f"findings in {', '.join(str(FOLDER / name / 'findings') for name in failed)}")


def run(name: str, minutes: float, seed: int) -> bool:
    """Fuzz a target; return whether nothing was found."""
    folder, target = FOLDER / name, TARGETS[name]
    shutil.rmtree(folder / "seeds", ignore_errors=True)
    for part in ("corpus", "seeds", "findings"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(target.seeds()):
        (folder / "seeds" / f"{number:03}").write_bytes(data)
    options = {
        "max_total_time": round(minutes * 60),
        "seed": seed,
        "max_len": target.max_bytes,
        "timeout": HANG_S,
        "rss_limit_mb": MAX_MEMORY_MB,
        "artifact_prefix": f"{folder / 'findings'}/",
        "print_final_stats": 1,
    }
    click.echo(f"{name}: {minutes:g} min")
    start = time.time()
    worker = [sys.executable, "-m", "tools.fuzz.worker", name, str(folder)]
    done = subprocess.run([*worker, *(f"-{key}={value}" for key, value in options.items())], check=False)
    return done.returncode == 0 and all(path.stat().st_mtime < start for path in (folder / "findings").iterdir())


if __name__ == "__main__":
    fuzz()
