"""The tables of docs/boards.md: from result files, and up to date."""

from pathlib import Path

import pytest

from throwlock.cli.doctor.bench.result import (
    BenchResult,
    Conditions,
    CueTimings,
    JournalTimings,
    Machine,
    NotMeasured,
    ScreenRun,
    ScreenTimings,
    SeatCount,
    Timings,
    VerdictTimings,
)
from tools.docs.boards import (
    BUDGET_SECTION,
    MEASURED_SECTION,
    RESULTS_FOLDER,
    budget_table,
    main,
    measured_table,
    read_result,
)
from tools.docs.generated_sections import read_sections

PAGE = RESULTS_FOLDER.with_suffix(".md")
FAILED = NotMeasured(not_measured="took too long")


def times(median_ms: float) -> Timings:
    return Timings(count=5, median_ms=median_ms, p95_ms=2 * median_ms, slowest_ms=3 * median_ms)


def bench_result(
    board: str = "Raspberry Pi 5 Model B Rev 1.0", day: str = "2026-11-22", ms: float = 480.0
) -> BenchResult:
    seats: dict[SeatCount, VerdictTimings | NotMeasured] = {
        "2": VerdictTimings(seats=2, model_calls=24, correct_seats=2, times=times(ms)),
        "4": FAILED,
        "8": VerdictTimings(seats=8, model_calls=92, correct_seats=8, times=times(3 * ms)),
    }
    runs = tuple(
        ScreenRun(load=load, frames_per_second=60.0, late_share=share, longest_gap_ms=30.0)
        for load, share in (("nothing is judged", 0.0), ("rounds are judged", 0.042))
    )
    return BenchResult(
        date=day,
        machine=Machine(
            board=board, cores=4, memory_gb=8.2, system="debian 13", kernel="6.12", python="3.13.5",
            throwlock="0.1.0", mediapipe="1.2.0", opencv="5.0.0",
        ),
        before=Conditions(load=0.1, temperature_c=44.6, throttling=()),
        after=Conditions(load=2.0, temperature_c=71.2, throttling=("under-voltage since power-on",)),
        model_call=times(17.25),
        verdicts=seats,
        screen=ScreenTimings(driver="KMSDRM", width=800, height=480, runs=runs),
        cue=CueTimings(drawn=times(4.0), seen=NotMeasured(not_measured="no camera that works")),
        journal=JournalTimings(evidence_kb=65, disk="ext4 on mmcblk0p2", commits=times(12.0)),
    )  # fmt: skip


def rows(table: str) -> dict[str, list[str]]:
    """The cells of each row by its first cell."""
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    return {first: cells for first, *cells in lines}


def test_a_column_for_each_result() -> None:
    table = rows(measured_table([bench_result(), bench_result("Raspberry Pi 4 Model B Rev 1.5", ms=1234.5)]))
    assert table[""] == ["Raspberry Pi 5 Model B Rev 1.0, 2026-11-22", "Raspberry Pi 4 Model B Rev 1.5, 2026-11-22"]
    assert table["verdict, 2 seats"] == ["480 ms", "1234 ms"]
    assert table["verdict, 4 seats"] == ["not measured: took too long"] * 2
    assert table["one call of the hand model"][0] == "17.2 ms"
    assert table["load before"][0] == "0.1 (quiet)"
    assert table["screen"][0] == "KMSDRM, 800×480"
    assert table["late frames while rounds are judged"][0] == "4.2%"
    assert table["… seen by a camera after that"][0] == "not measured: no camera that works"
    assert table["journal, one commit"][0] == "12.0 ms (ext4 on mmcblk0p2)"
    assert table["temperature before and after"][0] == "45 °C, 71 °C"
    assert table["throttled"][0] == "under-voltage since power-on"


def test_what_a_machine_does_not_tell() -> None:
    blind = Conditions(load=3.0, temperature_c=None, throttling=None)
    result = bench_result().model_copy(update={"before": blind, "after": blind, "screen": FAILED, "journal": FAILED})
    table = rows(measured_table([result]))
    assert table["load before"] == ["3.0 (busy)"]
    assert table["temperature before and after"] == table["throttled"] == ["not available"]
    assert table["screen"] == table["journal, one commit"] == ["not measured: took too long"]
    assert table["late frames while rounds are judged"] == ["–"]


def test_the_budget_is_an_estimate_until_a_board_is_measured() -> None:
    assert rows(budget_table([]))["Raspberry Pi 5"] == ["0.5 s", "1.2–1.6 s", "not yet", "not yet"]
    results = [bench_result(ms=400.0), bench_result(day="2026-12-01", ms=500.0), bench_result("x86-64 PC", ms=1.0)]
    table = rows(budget_table(results))
    assert table["Raspberry Pi 5"][2:] == ["500 ms", "1500 ms"], "the newest result"
    assert table["Raspberry Pi 4"] == ["1.3 s", "4 s", "not yet", "not yet"]


def test_another_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    for text in ("nothing", "{}", bench_result().model_dump_json().replace("debian 13", "/home/bob")):
        file.write_text(text)
        with pytest.raises(ValueError, match=r"one\.json is not a result"):
            read_result(file)


def test_the_command_writes_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, page = tmp_path / "one.json", tmp_path / "page.md"
    file.write_text(bench_result().model_dump_json())
    page.write_text(PAGE.read_text())
    monkeypatch.setattr("sys.argv", ["boards", str(file), "--docs", str(page)])
    main()
    sections = read_sections(page)
    assert sections[MEASURED_SECTION].strip() == measured_table([bench_result()])
    assert sections[BUDGET_SECTION].strip() == budget_table([bench_result()])
    assert capsys.readouterr().out.startswith(sections[MEASURED_SECTION])


def test_the_page_has_the_files_of_its_folder() -> None:
    results = [read_result(path) for path in sorted(RESULTS_FOLDER.glob("*.json"))]
    sections = read_sections(PAGE)
    assert results
    assert sections[MEASURED_SECTION].strip() == measured_table(results)
    assert sections[BUDGET_SECTION].strip() == budget_table(results)
