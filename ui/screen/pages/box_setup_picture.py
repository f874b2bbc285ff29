"""Painters of the box itself: its menu, camera, Wi-Fi, time zone and power."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from pygame import Rect

from device.system.host import WifiNetwork, WifiSecurity
from messages import N
from ui.i18n.language import city_name, current_language, render
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.keyboard import Key, draw_keyboard
from ui.screen.drawing.theme import ACCENT, BACKGROUND, FOUL, MUTED, PANEL, RAISED, TEXT
from ui.screen.drawing.widgets import draw_header, draw_list_cells, draw_list_page, hand_row, split_hand_side
from ui.screen.pages import box_setup as box_setup_page
from ui.screen.pages.box_setup import (
    BACK,
    TITLE,
    UTC,
    BoxMenu,
    BoxTool,
    CameraAnswer,
    CameraView,
    CityPage,
    NetworkPage,
    PasswordPage,
    PoweringOff,
    RegionPage,
    WifiAction,
    WifiAnswer,
    WifiPage,
    password_rows,
)
from ui.screen.views import Press, Reply
from ui.text import labels

TURNED = 180


@paints(BoxMenu)
def draw_box_menu(canvas: Canvas, page: BoxMenu) -> None:
    """Draw a button for each tool with its current state; power is at the end, apart from the rest."""
    theme = canvas.theme
    body = draw_header(canvas, canvas.page, TITLE)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.2), theme.gap)
    _, back = split_hand_side(canvas, foot, theme.units(34), theme.gap)
    canvas.button(back, labels.DONE, Reply(BACK), main=True, size=theme.title)
    power = [tool for tool in page.tools if tool in (BoxTool.RESTART, BoxTool.SHUT_DOWN)]
    if power:
        body, bar = layout.split_bottom(body, round(theme.touch_size * 1.4), theme.gap)
        for cell, tool in zip(layout.columns(bar, [1] * len(power), theme.gap), power, strict=True):
            canvas.button(cell, box_setup_page.TOOL_NAMES[tool], Reply(tool), icon=box_setup_page.TOOL_ICONS[tool])
    others = [tool for tool in page.tools if tool not in power]
    height = min(theme.units(20), (body.h - (len(others) - 1) * theme.gap) // max(1, len(others)))
    for other in others:
        row, body = layout.split_top(body, height, theme.gap)
        _draw_row(
            canvas,
            row,
            Reply(other),
            box_setup_page.TOOL_NAMES[other],
            page.tools[other],
            box_setup_page.TOOL_ICONS[other],
        )


def _draw_row(
    canvas: Canvas, row: Rect, press: Press, name: str, state: str, icon: str, *, chosen: bool = False
) -> None:
    """Draw a row that can be touched: an icon, a name, and at the right its state."""
    theme = canvas.theme
    canvas.framed_panel(row, RAISED if chosen else PANEL, marked=chosen)
    canvas.add_target(row, press, name)
    inner = layout.inset(row, theme.units(2), theme.units(0.6))
    sign, inner = layout.split_left(inner, min(inner.h, theme.units(7)), theme.gap * 2)
    canvas.icon(sign, icon, ACCENT)
    label, value = layout.columns(inner, [4, 5], theme.gap)
    canvas.text(label, name, theme.title, align="left", max_lines=2)
    canvas.text(value, state, theme.body, MUTED, align="right", max_lines=3)


@paints(CameraView)
def draw_camera(canvas: Canvas, page: CameraView) -> None:
    """Draw the cameras to choose from, the live image of the chosen one, and the button that rotates it."""
    theme = canvas.theme
    body = draw_header(canvas, canvas.page, box_setup_page.TOOL_NAMES[BoxTool.CAMERA])
    if theme.portrait:
        side, picture = layout.rows(body, [1, 1], theme.gap * 2)
    else:
        picture, side = split_hand_side(canvas, body, round(body.w * 0.42), theme.gap * 2)
    _draw_camera_image(canvas, picture, page)
    side, done = layout.split_bottom(side, round(theme.touch_size * 1.2), theme.gap)
    side, rotate = layout.split_bottom(side, round(theme.touch_size * 1.2), theme.gap)
    canvas.button(done, labels.DONE, Reply(BACK), main=True, size=theme.title)
    rotated = CameraAnswer(page.current, TURNED - page.rotation)
    canvas.button(rotate, N("Rotate the image by 180°"), Reply(rotated), enabled=page.current in page.cameras)
    if not page.cameras:
        text = N("No camera was found: connect one, then open this page again.")
        canvas.text(side, text, theme.body, MUTED, max_lines=6)
    height = min(theme.units(17), (side.h - (len(page.cameras) - 1) * theme.gap) // max(1, len(page.cameras)))
    for name, description in page.cameras.items():
        row, side = layout.split_top(side, height, theme.gap)
        chosen = name == page.current
        canvas.framed_panel(row, RAISED if chosen else BACKGROUND, marked=chosen)
        canvas.add_target(row, Reply(CameraAnswer(name, page.rotation)), description)
        inner = layout.inset(row, theme.units(1.6), theme.units(0.8))
        if chosen:
            sign, inner = layout.split_left(inner, min(inner.h, theme.units(5)), theme.gap)
            canvas.icon(sign, "good", ACCENT)
        canvas.text(inner, description, theme.body, max_lines=2, align="left", min_size=theme.units(2.6))


def _draw_camera_image(canvas: Canvas, box: Rect, page: CameraView) -> None:
    canvas.panel(box, PANEL)
    if page.error:
        canvas.text(layout.inset(box, canvas.theme.gap * 2), page.error, canvas.theme.body, FOUL, max_lines=6)

    def draw(canvas: Canvas, current: CameraView) -> None:
        if current.image is not None:
            height, width = current.image.pixels.shape[:2]
            scale = min(box.w / width, box.h / height)
            canvas.image(layout.centre(box, round(width * scale), round(height * scale)), current.image.pixels)

    canvas.add_moving_part(box, ["image"], draw)


@paints(WifiPage)
def draw_wifi(canvas: Canvas, page: WifiPage) -> None:
    """Draw the switch, the networks, and what has just happened."""
    theme, view = canvas.theme, page.view
    body = draw_header(canvas, canvas.page, box_setup_page.TOOL_NAMES[BoxTool.WIFI])
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.3), theme.gap)
    if not view.status.is_on:
        back, switch = hand_row(canvas, foot, [1, 2], theme.gap)
        canvas.button(back, labels.BACK, Reply(BACK), icon="back")
        on = Reply(WifiAnswer(WifiAction.SWITCH_ON))
        canvas.button(switch, labels.SWITCH_ON, on, main=True, size=theme.title)
        state, detail = layout.rows(body, [1, 1], theme.gap)
        canvas.text(
            state, view.note or box_setup_page.WIFI_OFF, theme.big, FOUL if view.has_error else TEXT, max_lines=4
        )
        canvas.text(detail, box_setup_page.WIFI_OFF_DETAIL, theme.title, MUTED, max_lines=5)
        return
    back, off, search = hand_row(canvas, foot, [3, 4, 5], theme.gap)
    canvas.button(back, labels.BACK, Reply(BACK), icon="back")
    canvas.button(off, labels.SWITCH_OFF, Reply(WifiAnswer(WifiAction.SWITCH_OFF)))
    canvas.button(search, N("Search again"), Reply(WifiAnswer(WifiAction.SEARCH)), icon="again", main=True)
    if view.note:
        line, body = layout.split_top(body, theme.units(10), theme.gap)
        canvas.text(line, view.note, theme.body, FOUL if view.has_error else ACCENT, max_lines=2, align="left")
    networks = view.status.networks
    if not networks:
        canvas.text(body, box_setup_page.NO_NETWORK_FOUND, theme.title, MUTED)
        return
    least = round(theme.touch_size * 1.1)
    body, shown, fitting = draw_list_page(canvas, body, page, networks, least)
    height = min(theme.units(14), (body.h - (fitting - 1) * theme.gap) // fitting)
    for network in shown:
        row, body = layout.split_top(body, height, theme.gap)
        press, status, icon = page.select(network), box_setup_page.network_state(network), _wifi_icon(network)
        _draw_row(canvas, row, press, network.name, status, icon, chosen=network.is_connected)


def _wifi_icon(network: WifiNetwork) -> str:
    if network.is_connected:
        return "good"
    return "shield" if network.security is WifiSecurity.PASSWORD else "waves"


@paints(NetworkPage)
def draw_network(canvas: Canvas, page: NetworkPage) -> None:
    """Draw one network's state and what can be done with it."""
    theme, network = canvas.theme, page.network
    body = draw_header(canvas, canvas.page, box_setup_page.TOOL_NAMES[BoxTool.WIFI])
    buttons: list[tuple[str, Press]] = [(labels.BACK, page.wifi)]
    if network.is_saved:
        buttons.append((N("Forget it"), Reply(WifiAnswer(WifiAction.FORGET, network))))
    usable = network.is_saved or network.security is not WifiSecurity.UNSUPPORTED
    if usable and network.strength and not network.is_connected:
        buttons.append((N("Connect"), Reply(WifiAnswer(WifiAction.CONNECT, network))))
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.5), theme.gap)
    cells = hand_row(canvas, foot, [1] * len(buttons), theme.gap)
    for number, (cell, (label, press)) in enumerate(zip(cells, buttons, strict=True)):
        main = number == len(buttons) - 1 and label == N("Connect")
        canvas.button(cell, label, press, main=main, size=theme.title, leads_back=press is page.wifi)
    name, detail = layout.rows(body, [1, 1], theme.gap)
    canvas.text(name, network.name, theme.big, max_lines=2)
    text = box_setup_page.network_state(network) if usable else box_setup_page.UNSUPPORTED
    canvas.text(detail, text, theme.title, MUTED, max_lines=5, vertical_align="left")


@paints(PasswordPage)
def draw_password(canvas: Canvas, page: PasswordPage) -> None:
    """Draw the password typed so far, mostly as dots, and the keys."""
    other = replace(page, symbols=not page.symbols, capital=False)
    shown = replace(page, is_shown=not page.is_shown)
    draw_keyboard(
        canvas,
        draw_header(canvas, canvas.page, N("Password of {network}", network=page.network.name)),
        page,
        password_rows(current_language(), symbols=page.symbols),
        text=page.visible_text,
        capital=page.capital,
        back=page.wifi,
        others=(
            Key(N("Capitals"), None if page.symbols else replace(page, capital=not page.capital), "raise"),
            Key("abc" if page.symbols else "1#?", other),
            Key(N("Hide") if page.is_shown else N("Show"), shown, "eye"),
        ),
        done=Key(N("Connect"), page.finish()),
    )


@paints(RegionPage)
def draw_regions(canvas: Canvas, page: RegionPage) -> None:
    """Draw the time zone, the time, and the regions."""
    theme, view = canvas.theme, page.view
    body = draw_header(canvas, canvas.page, box_setup_page.TOOL_NAMES[BoxTool.TIME_ZONE])
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.2), theme.gap)
    back, _ = hand_row(canvas, foot, [1, 2], theme.gap)
    canvas.button(back, labels.BACK, Reply(BACK), icon="back")
    now, body = layout.split_top(body, theme.units(14), theme.gap)
    canvas.text(now, N("{city}: it is {time}", city=city_name(view.current), time=page.time), theme.big)
    across = 2 if theme.portrait else 4
    cells = layout.grid(body, len(view.regions), across, theme.gap)
    current = view.current.partition("/")[0]
    for cell, region in zip(cells, view.regions, strict=True):
        press: Press = Reply(UTC) if region == UTC else CityPage(page, region)
        _draw_place(canvas, cell, box_setup_page.region_name(region), press, chosen=region == current)


@paints(CityPage)
def draw_cities(canvas: Canvas, page: CityPage) -> None:
    """Draw the cities of a region in alphabetical order."""
    theme, view = canvas.theme, page.region_page.view
    body = draw_header(canvas, canvas.page, box_setup_page.region_name(page.region))
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.2), theme.gap)
    back, _ = hand_row(canvas, foot, [1, 2], theme.gap)
    canvas.button(back, labels.BACK, page.region_page, icon="back", leads_back=True)
    zones = _by_city(view.cities(page.region))
    across, height = 2 if theme.portrait else 4, round(theme.touch_size * 1.1)
    for cell, name in draw_list_cells(canvas, body, page, list(zones), height, across=across):
        _draw_place(canvas, cell, name, Reply(zones[name]), chosen=zones[name] == view.current)


def _by_city(zones: Sequence[str]) -> Mapping[str, str]:
    """Return the zones by the names of their cities, sorted. Of two with one name, the latter is an old spelling."""
    named = sorted((render(city_name(zone)).casefold(), render(city_name(zone)), zone) for zone in zones)
    found: dict[str, str] = {}
    for _, name, zone in named:
        found.setdefault(name, zone)
    return MappingProxyType(found)


def _draw_place(canvas: Canvas, cell: Rect, label: str, press: Press, *, chosen: bool) -> None:
    theme = canvas.theme
    canvas.framed_panel(cell, RAISED if chosen else PANEL, marked=chosen)
    canvas.add_target(cell, press, label)
    canvas.text(layout.inset(cell, theme.units(1)), label, theme.body, max_lines=2, min_size=theme.units(2.4))


@paints(PoweringOff)
def draw_powering_off(canvas: Canvas, page: PoweringOff) -> None:
    """Draw what happens, and when the plug may be pulled."""
    theme = canvas.theme
    sign, title, text = layout.rows(canvas.page, [3, 2, 4], theme.gap)
    canvas.icon(layout.centre(sign, sign.w, theme.units(20)), "moon", ACCENT)
    canvas.text(title, page.title, theme.big, max_lines=2)
    canvas.text(text, page.text, theme.title, max_lines=6, vertical_align="left")
