"""Samples of the box itself: its menu, Wi-Fi off, on and after an error, a password, time zones, shutting down."""

from dataclasses import replace

import numpy as np

from device.system.host import WifiNetwork, WifiSecurity, WifiStatus
from messages import N
from ui.i18n.language import city_name
from ui.screen.pages.box_setup import (
    FILM_DETAIL,
    BoxMenu,
    BoxTool,
    CameraPage,
    CityPage,
    NetworkPage,
    PasswordPage,
    PoweringOff,
    RegionPage,
    TimeZoneView,
    WifiPage,
    WifiView,
)
from ui.screen.pages.zones import LiveImage
from ui.screen.views import View

EUROPEAN_CITIES = (
    *("Amsterdam", "Athens", "Belgrade", "Berlin", "Bratislava", "Brussels", "Bucharest", "Budapest", "Copenhagen"),
    *("Dublin", "Helsinki", "Lisbon", "Ljubljana", "London", "Luxembourg", "Madrid", "Oslo", "Paris", "Prague", "Rome"),
    *("Sofia", "Stockholm", "Tallinn", "Vienna", "Warsaw", "Zurich"),
)
TIME_ZONES = (
    *("Africa/Cairo", "America/New_York", "Antarctica/Troll", "Arctic/Longyearbyen", "Asia/Tokyo", "Australia/Sydney"),
    *("Atlantic/Reykjavik", *(f"Europe/{city}" for city in EUROPEAN_CITIES), "Indian/Mauritius", "Pacific/Auckland"),
    "UTC",
)


def samples() -> dict[str, View]:
    """Return the samples by name."""
    networks = (
        WifiNetwork(b"Games at home", 82, WifiSecurity.PASSWORD, is_saved=True, is_connected=True),
        WifiNetwork(b"Summer house", 0, WifiSecurity.PASSWORD, is_saved=True),
        WifiNetwork(b"FRITZ!Box 7590 KD", 71, WifiSecurity.PASSWORD),
        WifiNetwork(b"Guests", 64, WifiSecurity.OPEN),
        WifiNetwork(b"eduroam", 41, WifiSecurity.UNSUPPORTED),
        *(WifiNetwork(f"Neighbours {number}".encode(), 40 - number, WifiSecurity.PASSWORD) for number in range(1, 8)),
    )
    wifi = WifiView(WifiStatus(True, networks))
    wrong = N("{network} did not accept the password: type it again", network="FRITZ!Box 7590 KD")
    password = PasswordPage(WifiPage(wifi), networks[2], text="rock&paper 7")
    zones = TimeZoneView(TIME_ZONES, "Europe/Berlin", lambda: "20:05")
    regions = RegionPage(zones, "20:05")
    shade = np.linspace(60, 190, 640, dtype=np.uint8)
    image = LiveImage(np.dstack([np.tile(shade, (360, 1))] * 3))
    cameras = {"picamera2": "Camera Module 3 Wide", "usb:0": "HD Pro Webcam C920"}
    camera = CameraPage(cameras, "picamera2", 180, lambda: image, image=image)
    no_camera = N("camera picamera2:{number} sends no images: check its cable and start again", number=0)
    tools = {
        BoxTool.CAMERA: "Camera Module 3 Wide",
        BoxTool.FILM: FILM_DETAIL,
        BoxTool.WIFI: N("connected to {network}", network="Games at home"),
        BoxTool.TIME_ZONE: N("{city}: it is {time}", city=city_name("Europe/Berlin"), time="20:05"),
        BoxTool.RESTART: "",
        BoxTool.SHUT_DOWN: "",
    }
    return {
        "box": BoxMenu(tools),
        "box-pc": BoxMenu({BoxTool.CAMERA: "HD Pro Webcam C920", BoxTool.FILM: FILM_DETAIL}),
        "box-camera": camera,
        "box-camera-error": replace(camera, latest_image=lambda: None, image=None, error=no_camera),
        "box-no-camera": CameraPage({}, "auto", 0, lambda: None),
        "box-simulated": CameraPage({}, "simulated", 0, lambda: image, image=image, in_use=N("the simulated table")),
        "box-simulated-beside-cameras": replace(camera, current="simulated", in_use=N("the simulated table")),
        "box-wifi": wifi,
        "box-wifi-wrong": replace(wifi, note=wrong, has_error=True),
        "box-wifi-off": WifiView(WifiStatus(False)),
        "box-wifi-none": WifiView(WifiStatus(True)),
        "box-network": NetworkPage(WifiPage(wifi), networks[0]),
        "box-network-open": NetworkPage(WifiPage(wifi), networks[3]),
        "box-network-unsupported": NetworkPage(WifiPage(wifi), networks[4]),
        "box-password": password,
        "box-password-symbols": replace(password, symbols=True, is_shown=True),
        "box-regions": regions,
        "box-cities": CityPage(regions, "Europe"),
        "box-shut-down": PoweringOff(
            N("Shutting down"),
            N("Pull the plug only when the screen is dark and the green light on the board has stopped blinking."),
        ),
    }
