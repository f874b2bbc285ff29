"""Draw shares by lateness as steps with their confidence intervals, one plot per curve."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from tools.trials.tables import LatenessStep


def draw_curves(title: str, subtitle: str, curves: Mapping[str, Sequence[LatenessStep]]) -> Figure:
    """Return a figure of 1280 × 720 pixels with the curves, by their titles, side by side."""
    figure = Figure(figsize=(12.8, 7.2), dpi=100, layout="constrained")
    figure.suptitle(f"{title}\n{subtitle}", size=18, weight="bold")
    plots = figure.subplots(1, max(1, len(curves)), sharey=True, squeeze=False)[0]
    plots[0].yaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
    for plot, (name, steps) in zip(plots, curves.items(), strict=False):
        for since, until, caught, too_close in steps:
            low, high = caught.bounds
            plot.bar(since, high - low, until - since, low, align="edge", color="lightsteelblue")
            plot.hlines(caught.share, since, until, color="tab:blue", linewidth=4)
            plot.hlines(too_close.share, since, until, color="dimgray", linewidth=4, linestyle="dotted")
        plot.axvline(0, color="saddlebrown")
        plot.set_title(f"{name} (n = {sum(step.caught.total for step in steps):,})", size=16)
        plot.set_xlabel("ms after the lock", size=14)
        plot.spines[["left", "right", "top"]].set_visible(False)
        plot.grid(axis="y", color="gainsboro")
        plot.set_axisbelow(True)
    return figure
