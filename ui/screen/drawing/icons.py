"""Icons and circles as anti-aliased surfaces, rendered from SVG and cached: don't draw on them."""

import math
from functools import lru_cache
from io import BytesIO

import pygame

from ui.icons import icon_svg
from ui.screen.drawing.theme import Colour

_PIXEL_FORMAT = pygame.Surface((1, 1), pygame.SRCALPHA, 32)
"""A surface in the format that is fastest to blit, which the SVG renderer's is not."""


@lru_cache(maxsize=512)
def icon(name: str, side: int, colour: Colour) -> pygame.Surface:
    """Return the icon called ``name``, ``side`` pixels square, on a transparent ground."""
    return _render(icon_svg(name, f"rgb{colour}"), max(1, side), colour)


@lru_cache(maxsize=256)
def corner_disc(radius: int, colour: Colour) -> pygame.Surface:
    """Return a disc of ``radius`` pixels whose quarters are the corners of a panel."""
    return _render_shape('<circle cx="64" cy="64" r="64"/>', 2 * radius, colour)


@lru_cache(maxsize=64)
def inverse_corner(radius: int, colour: Colour) -> pygame.Surface:
    """Return the outside of ``corner_disc``, which makes an image's corners round when drawn over them."""
    outside = '<path fill-rule="evenodd" d="M0 0H128V128H0ZM0 64A64 64 0 1 1 128 64A64 64 0 1 1 0 64Z"/>'
    return _render_shape(outside, 2 * radius, colour)


def ring_icon(radius: float, width: float, colour: Colour) -> pygame.Surface:
    """Return a circle's line, ``width`` pixels wide, inside ``radius`` (to the nearest half pixel)."""
    return _ring(round(2 * radius), width, colour)


@lru_cache(maxsize=192)
def _ring(halves: int, width: float, colour: Colour) -> pygame.Surface:
    radius = halves / 2
    side = 2 * math.ceil(radius) + 2
    pixel = 128 / side
    line = f'fill="none" stroke="rgb{colour}" stroke-width="{width * pixel}"'
    return _render_shape(f'<circle cx="64" cy="64" r="{(radius - width / 2) * pixel}" {line}/>', side, colour)


def _render_shape(shape: str, side: int, colour: Colour) -> pygame.Surface:
    frame = f'<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128" fill="rgb{colour}">'
    return _render(f"{frame}{shape}</svg>", side, colour)


def _render(svg: str, side: int, colour: Colour) -> pygame.Surface:
    surface = pygame.image.load_sized_svg(BytesIO(svg.encode()), (side, side)).convert(_PIXEL_FORMAT)
    surface.fill(colour, special_flags=pygame.BLEND_RGB_MAX)  # transparent pixels too: rotated edges stay bright
    return surface
