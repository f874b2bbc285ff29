"""Painters of the box itself: its menu, camera, Wi-Fi, time zone and power."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from pygame import Rect

from device.system.host import WifiNetwork, WifiSecurity
from messages import N
from ui.i18n.language import city_name, current_language, render
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.forms import Column, Either, Form, Grid, HandRow, ItemList, Row, lays_out
from ui.screen.drawing.keyboard import Key, draw_keyboard
from ui.screen.drawing.nodes import GAP, TOUCH, Button, CardPanel, Drawing, Icon, Space, Text
from ui.screen.drawing.theme import ACCENT, BACKGROUND, FOUL, MUTED, PANEL, RAISED, TEXT
from ui.screen.drawing.widgets import draw_header
from ui.screen.pages import box_setup as box_setup_page
from ui.screen.pages.box_setup import (
    BACK,
    TITLE,
    UTC,
    BoxMenu,
    BoxTool,
    CameraAnswer,
    CameraPage,
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


@paints(PasswordPage)
def draw_password(canvas: Canvas, page: PasswordPage) -> None:
    """Draw the password typed so far, mostly as dots, and the keys."""
    toggled = replace(page, symbols=not page.symbols, capital=False)
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
            Key("abc" if page.symbols else "1#?", toggled),
            Key(N("Hide") if page.is_shown else N("Show"), shown, "eye"),
        ),
        done=Key(N("Connect"), page.finish()),
    )


BACK_BUTTON = Button(labels.BACK, Reply(BACK), "back", size="body")


@lays_out(BoxMenu)
def lay_out_box_menu(page: BoxMenu) -> Form:
    """Return a button for each tool with its current state; power is at the end, apart from the rest."""
    power = [tool for tool in page.tools if tool in (BoxTool.RESTART, BoxTool.SHUT_DOWN)]
    names, icons = box_setup_page.TOOL_NAMES, box_setup_page.TOOL_ICONS
    switches = [Button(names[tool], Reply(tool), icons[tool], size="body") for tool in power]
    rows = [
        _state_card(Reply(tool), names[tool], state, icons[tool])
        for tool, state in page.tools.items()
        if tool not in power
    ]
    return Form(
        TITLE,
        Grid(rows, most=20),
        Row(*switches, length=1.4 * TOUCH) if switches else None,
        foot=(Space(), Button(labels.DONE, Reply(BACK), main=True, length=34)),
        foot_length=1.2 * TOUCH,
    )


def _state_card(press: Press, name: str, state: str, icon: str, *, chosen: bool = False) -> CardPanel:
    """Return a row that can be touched: an icon, a name, and at the right its state."""
    words = Row(
        Text(name, "title", lines=2, align="left", share=4),
        Text(state, "body", MUTED, lines=3, align="right", share=5),
    )
    row = Row(Icon(icon, length=7), words, gap=2 * GAP)
    return CardPanel(row, press, name, fill=RAISED if chosen else PANEL, marked=chosen)


SEARCH_AGAIN = N("Search again")


@lays_out(CameraPage)
def lay_out_camera(page: CameraPage) -> Form:
    """Return the cameras to choose from, the live image of the chosen one, and the button that rotates it."""
    image = Drawing(partial(_draw_camera_image, page=page), share=(58, 50))
    missing = N("No camera was found: connect one, then touch “{button}”.", button=SEARCH_AGAIN)
    rotated = CameraAnswer(page.current, TURNED - page.rotation)
    rotate = Button(
        N("Rotate the image by 180°"),
        Reply(rotated),
        size="body",
        enabled=page.current in page.cameras,
        length=1.2 * TOUCH,
    )
    search = Button(SEARCH_AGAIN, Reply(box_setup_page.SEARCH_CAMERAS), "again", size="body", length=1.2 * TOUCH)
    in_use = Text(N("In use: {camera}", camera=page.in_use), "body", MUTED, lines=3) if page.in_use else None
    side = Column(
        in_use,
        Grid([_camera_card(page, name) for name in page.cameras], most=17)
        if page.cameras
        else None
        if in_use
        else Text(missing, "body", MUTED, lines=6),
        rotate if page.cameras else search,
        Button(labels.DONE, Reply(BACK), main=True, length=1.2 * TOUCH),
        share=(42, 50),
    )
    both = Either(HandRow(image, side, gap=2 * GAP), Column(side, image, gap=2 * GAP))
    return Form(box_setup_page.TOOL_NAMES[BoxTool.CAMERA], both)


def _camera_card(page: CameraPage, name: str) -> CardPanel:
    chosen, description = name == page.current, page.cameras[name]
    row = Row(Icon("good", length=5) if chosen else None, Text(description, lines=2, align="left", min_size=2.6))
    press = Reply(CameraAnswer(name, page.rotation))
    fill = RAISED if chosen else BACKGROUND
    return CardPanel(row, press, description, across=1.6, down=0.8, fill=fill, marked=chosen)


def _draw_camera_image(canvas: Canvas, box: Rect, page: CameraPage) -> None:
    canvas.panel(box, PANEL)
    if page.error:
        canvas.text(layout.inset(box, canvas.theme.gap * 2), page.error, canvas.theme.body, FOUL, max_lines=6)

    def draw(canvas: Canvas, current: CameraPage) -> None:
        if current.image is not None:
            height, width = current.image.pixels.shape[:2]
            scale = min(box.w / width, box.h / height)
            canvas.image(layout.centre(box, round(width * scale), round(height * scale)), current.image.pixels)

    canvas.add_moving_part(box, ["image"], draw)


@lays_out(WifiPage)
def lay_out_wifi(page: WifiPage) -> Form:
    """Return the switch, the networks, and what has just happened."""
    view, title = page.view, box_setup_page.TOOL_NAMES[BoxTool.WIFI]
    if not view.status.is_on:
        switch = Button(labels.SWITCH_ON, Reply(WifiAnswer(WifiAction.SWITCH_ON)), main=True, share=2)
        return Form(
            title,
            Text(view.note or box_setup_page.WIFI_OFF, "big", FOUL if view.has_error else TEXT, lines=4),
            Text(box_setup_page.WIFI_OFF_DETAIL, "title", MUTED, lines=5),
            foot=(BACK_BUTTON, switch),
            foot_length=1.3 * TOUCH,
        )
    off = Button(labels.SWITCH_OFF, Reply(WifiAnswer(WifiAction.SWITCH_OFF)), size="body", share=4)
    search = Reply(WifiAnswer(WifiAction.SEARCH))
    networks = view.status.networks
    said = Text(view.note, "body", FOUL if view.has_error else ACCENT, lines=2, align="left", length=10)
    return Form(
        title,
        said if view.note else None,
        ItemList(page, networks, partial(_network_card, page), 1.1 * TOUCH, 14)
        if networks
        else Text(box_setup_page.NO_NETWORK_FOUND, "title", MUTED, lines=1),
        foot=(
            replace(BACK_BUTTON, share=3),
            off,
            Button(SEARCH_AGAIN, search, "again", size="body", main=True, share=5),
        ),
        foot_length=1.3 * TOUCH,
    )


def _network_card(page: WifiPage, network: WifiNetwork) -> CardPanel:
    state = box_setup_page.network_state(network)
    return _state_card(page.select(network), network.name, state, _wifi_icon(network), chosen=network.is_connected)


def _wifi_icon(network: WifiNetwork) -> str:
    if network.is_connected:
        return "good"
    return "shield" if network.security is WifiSecurity.PASSWORD else "waves"


@lays_out(NetworkPage)
def lay_out_network(page: NetworkPage) -> Form:
    """Return one network's state and what can be done with it."""
    network = page.network
    usable = network.is_saved or network.security is not WifiSecurity.UNSUPPORTED
    forget = connect = None
    if network.is_saved:
        forget = Button(N("Forget it"), Reply(WifiAnswer(WifiAction.FORGET, network)))
    if usable and network.strength and not network.is_connected:
        connect = Button(N("Connect"), Reply(WifiAnswer(WifiAction.CONNECT, network)), main=True)
    text = box_setup_page.network_state(network) if usable else box_setup_page.UNSUPPORTED
    return Form(
        box_setup_page.TOOL_NAMES[BoxTool.WIFI],
        Text(network.name, "big", lines=2),
        Text(text, "title", MUTED, lines=5, vertical_align="top"),
        foot=(Button(labels.BACK, page.wifi, leads_back=True), forget, connect),
        foot_length=1.5 * TOUCH,
    )


@lays_out(RegionPage)
def lay_out_regions(page: RegionPage) -> Form:
    """Return the time zone, the time, and the regions."""
    view, current = page.view, page.view.current.partition("/")[0]
    cells = [
        _zone_card(
            box_setup_page.region_name(region),
            Reply(UTC) if region == UTC else CityPage(page, region),
            chosen=region == current,
        )
        for region in view.regions
    ]
    now = N("{city}: it is {time}", city=city_name(view.current), time=page.time)
    return Form(
        box_setup_page.TOOL_NAMES[BoxTool.TIME_ZONE],
        Text(now, "big", lines=1, length=14),
        Grid(cells, (4, 2)),
        foot=(BACK_BUTTON, Space(share=2)),
        foot_length=1.2 * TOUCH,
    )


@lays_out(CityPage)
def lay_out_cities(page: CityPage) -> Form:
    """Return the cities of a region in alphabetical order."""
    zones, current = _by_city(page.region_page.view.cities(page.region)), page.region_page.view.current

    def card(name: str) -> CardPanel:
        return _zone_card(name, Reply(zones[name]), chosen=zones[name] == current)

    return Form(
        box_setup_page.region_name(page.region),
        ItemList(page, list(zones), card, 1.1 * TOUCH, across=(4, 2)),
        foot=(Button(labels.BACK, page.region_page, "back", size="body", leads_back=True), Space(share=2)),
        foot_length=1.2 * TOUCH,
    )


def _by_city(zones: Sequence[str]) -> Mapping[str, str]:
    """Return the zones by the names of their cities, sorted. Of two with one name, the latter is an old spelling."""
    named = sorted((render(city_name(zone)).casefold(), render(city_name(zone)), zone) for zone in zones)
    zone_by_city: dict[str, str] = {}
    for _, name, zone in named:
        zone_by_city.setdefault(name, zone)
    return MappingProxyType(zone_by_city)


def _zone_card(label: str, press: Press, *, chosen: bool) -> CardPanel:
    name = Text(label, lines=2, min_size=2.4)
    return CardPanel(name, press, label, across=1, down=1, fill=RAISED if chosen else PANEL, marked=chosen)


@lays_out(PoweringOff)
def lay_out_powering_off(page: PoweringOff) -> Form:
    """Return what happens, and when the plug may be pulled."""
    return Form(
        "",
        Icon("moon", side=20, share=3),
        Text(page.title, "big", lines=2, share=2),
        Text(page.text, "title", lines=6, vertical_align="top", share=4),
    )
