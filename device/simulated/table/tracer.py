"""The simulated table's ray tracer: a hand as a field of distances, marched along every pixel's ray and shaded as
skin. Lengths are millimetres, colours linear light. All of its kernels live in this file, because numba's cache
notices a change only in the file of the function it compiled."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

Vector = tuple[float, float, float]
Field = NDArray[np.float32]
"""A hand as segments (cones with round ends), one a column: (ROWS, n), sorted by group, in millimetres of the
table: x to the right of the picture, y up, z towards the camera, the table at z = 0."""
Picture = NDArray[np.float32]
Distances = NDArray[np.float32]

X, Y, Z, AXIS_X, AXIS_Y, AXIS_Z, LENGTH, RADIUS, TAPER, BACK_X, BACK_Y, BACK_Z, GROUP, BASE, KIND, NAME = range(16)
"""The rows of a Field: where the segment starts, the direction it runs, its length, its radius at the start and what
it gains a millimetre, the direction of the hand's back, the group and kind it belongs to, whether it joins a finger
to the palm (1) or not (0), and a number of its own that keeps its skin's pattern from its neighbours'."""
ROWS = 16
PALM, THUMB = 0, 1
"""Groups; the fingers are 2 to 5."""
KIND_PALM, KIND_FIRST, KIND_MIDDLE, KIND_LAST, KIND_ARM, KIND_SLEEVE = range(6)
"""What a segment is; FIRST, MIDDLE and LAST are the bones of a finger from the knuckle to the tip."""

LANES = 8
"""Segments measured together: eight 32-bit floats fill one AVX2 register."""
TILE = 8
"""Pixels of a tile's side; a tile's rays share one list of segments."""
FAR = 1e9
HIT_MM = 0.12
REACH_MARCH_MM, REACH_SHADE_MM = 7.0, 16.0
"""How far beyond its surface a segment still matters: to the shape (the widest blend is 11 mm, half of which shows
on either side), and to the light in the creases."""


class View(NamedTuple):
    """A pinhole camera above the table, looking straight down, and the pixels asked of it: ``step_x`` and ``step_y``
    are frame pixels a picture pixel, ``left`` and ``top`` the frame's at the picture's corner, ``centre_x`` and
    ``centre_y`` the frame's under the camera. ``focal`` is in frame pixels, ``height`` in millimetres."""

    left: float
    top: float
    step_x: float
    step_y: float
    centre_x: float
    centre_y: float
    focal: float
    height: float


class Light(NamedTuple):
    """A lamp (the direction to it and its colour) and the light from all around. ``softness`` is the tangent of the
    lamp's half angle."""

    towards: Vector
    lamp: Vector
    around: Vector
    softness: float


class Coat(NamedTuple):
    """What covers a hand: the skin of its back and of its palm, and the sleeve, in linear light; ``size`` is the
    hand's, 1 for a grown-up's, and scales the skin's pattern with it."""

    back: Vector
    palm: Vector
    sleeve: Vector
    size: float


class Cluster(NamedTuple):
    """The segments that matter to one place: the first ``used`` of ``segments``, of a hand of ``size``; the columns
    from there to a multiple of LANES are too far away to matter. ``measured`` is room for the distance to each."""

    segments: Field
    used: int
    size: float
    measured: Distances


Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def kernel(function: Kernel) -> Kernel:
    """Compile ``function`` with numba, for several Python threads at once: the interpreter's lock is let go, and no
    threads of numba's own are used, since its default pool aborts the process when two threads enter it.

    The machine code is kept beside the source or, where that can't be written, in the user's cache directory; where
    neither can be, it is compiled at every start."""
    try:
        return cast(Kernel, numba.njit(cache=True, nogil=True, fastmath=True)(function))
    except RuntimeError:  # numba found no directory it may write
        return inner(function)


def inner(function: Kernel) -> Kernel:
    """Compile ``function`` as a part of the kernels that call it, and keep it with them."""
    return cast(Kernel, numba.njit(nogil=True, fastmath=True)(function))


# -------- the field of distances


@inner
def soft_min(a: float, b: float, width: float) -> float:
    """The smaller of two distances, rounded where they differ by less than ``width`` (the polynomial blend of
    Quilez, "Smooth minimum", 2013)."""
    overlap = width - abs(a - b)
    if overlap <= 0:
        return min(a, b)
    return min(a, b) - overlap * overlap * 0.25 / width


@inner
def measure(cluster: Cluster, x: float, y: float, z: float) -> None:
    """The distance from a point to each segment. The inner loop has a fixed length and no branch, and becomes vector
    instructions."""
    field, out = cluster.segments, cluster.measured
    zero = np.float32(0)
    px, py, pz = np.float32(x), np.float32(y), np.float32(z)
    for block in range(0, cluster.used, LANES):
        for lane in range(LANES):
            i = block + lane
            dx = px - field[X, i]
            dy = py - field[Y, i]
            dz = pz - field[Z, i]
            along = dx * field[AXIS_X, i] + dy * field[AXIS_Y, i] + dz * field[AXIS_Z, i]
            along = min(max(along, zero), field[LENGTH, i])
            dx -= field[AXIS_X, i] * along
            dy -= field[AXIS_Y, i] * along
            dz -= field[AXIS_Z, i] * along
            out[i] = math.sqrt(dx * dx + dy * dy + dz * dz) - field[RADIUS, i] - field[TAPER, i] * along


@inner
def join(whole: float, base: float, rest: float, group: float, size: float) -> float:
    """Add a finger to what is there: ``whole`` is the distance to that, ``base`` to the finger's first bone, ``rest``
    to the others. Skin spans the gap to the palm at the first bone (8 mm, 10 mm for the thumb), not at the tip."""
    finger = soft_min(base, rest, 2.5 * size)
    near_base = min(max((rest - base) / (6.0 * size) + 0.5, 0.0), 1.0)
    return soft_min(whole, finger, (1.0 + (7.0 if group > THUMB else 9.0) * near_base) * size)


@inner
def distance(cluster: Cluster, x: float, y: float, z: float) -> float:
    """The distance from a point to the hand's skin or sleeve, negative inside. Leaves each segment's in the cluster."""
    measure(cluster, x, y, z)
    field, count, size, out = cluster
    palm = FAR
    i = 0
    while i < count and field[GROUP, i] == PALM:
        if palm > FAR / 2 or field[KIND, i] == KIND_SLEEVE:
            palm = min(palm, float(out[i]))
        else:
            palm = soft_min(palm, float(out[i]), 11.0 * size)
        i += 1
    whole = palm
    while i < count:
        group = field[GROUP, i]
        base = FAR
        rest = FAR
        while i < count and field[GROUP, i] == group:
            if field[BASE, i] > 0:
                base = float(out[i])
            elif rest > FAR / 2:
                rest = float(out[i])
            else:
                rest = soft_min(rest, float(out[i]), 2.5 * size)
            i += 1
        # fingers touch each other in a crease of 0.8 mm
        whole = soft_min(whole, join(palm, base, rest, group, size), 0.8 * size)
    return whole


@inner
def nearest(cluster: Cluster) -> int:
    """The segment the last point measured is nearest to."""
    best = 0
    for i in range(1, cluster.used):
        if cluster.measured[i] < cluster.measured[best]:
            best = i
    return best


@inner
def pad(field: Field, count: int) -> None:
    """Fill the columns from ``count`` to a multiple of LANES with segments too far to matter."""
    for i in range(count, (count + LANES - 1) // LANES * LANES):
        for row in range(ROWS):
            field[row, i] = 0
        field[RADIUS, i] = -FAR


@inner
def gather(field: Field, view: View, u: float, v: float, reach: float, half: float, out: Field) -> int:
    """Copy into ``out`` the segments that may matter to a tile around the point ``u``, ``v`` (frame pixels from the
    centre, v up), within ``reach`` mm of their surface; ``half`` is half the tile's diagonal in frame pixels.
    Returns how many."""
    count = 0
    for i in range(field.shape[1]):
        zoom_a = view.focal / (view.height - field[Z, i])
        end_z = field[Z, i] + field[AXIS_Z, i] * field[LENGTH, i]
        zoom_b = view.focal / (view.height - end_z)
        ax = field[X, i] * zoom_a
        ay = field[Y, i] * zoom_a
        dx = (field[X, i] + field[AXIS_X, i] * field[LENGTH, i]) * zoom_b - ax
        dy = (field[Y, i] + field[AXIS_Y, i] * field[LENGTH, i]) * zoom_b - ay
        share = ((u - ax) * dx + (v - ay) * dy) / (dx * dx + dy * dy + 1e-9)
        share = min(max(share, 0.0), 1.0)
        away = math.sqrt((ax + dx * share - u) ** 2 + (ay + dy * share - v) ** 2)
        end_radius = field[RADIUS, i] + field[TAPER, i] * field[LENGTH, i]
        radius = max(field[RADIUS, i] * zoom_a, end_radius * zoom_b)
        if away < radius + reach * max(zoom_a, zoom_b) + half:
            for row in range(ROWS):
                out[row, count] = field[row, i]
            count += 1
    pad(out, count)
    return count


# -------- skin and cloth


@inner
def step_between(a: float, b: float, x: float) -> float:
    """0 at ``a`` and before, 1 at ``b`` and beyond, smooth between; ``b`` may be the smaller."""
    t = min(max((x - a) / (b - a), 0.0), 1.0)
    return t * t * (3 - 2 * t)


@inner
def lattice(i: int, j: int, k: int) -> float:
    """A number from 0 to 1 that belongs to a point of the grid."""
    h = (i * 374761393 + j * 668265263 + k * 1274126177) & 0xFFFFFFFF
    h = ((h ^ (h >> 13)) * 1103515245) & 0xFFFFFFFF
    return ((h ^ (h >> 16)) & 0xFFFF) / 65535.0


@inner
def mottle(x: float, y: float, z: float) -> float:
    """Smooth noise from -0.5 to 0.5 with details about 1 wide."""
    i = math.floor(x)
    j = math.floor(y)
    k = math.floor(z)
    fx = x - i
    fy = y - j
    fz = z - k
    fx = fx * fx * (3 - 2 * fx)
    fy = fy * fy * (3 - 2 * fy)
    fz = fz * fz * (3 - 2 * fz)
    i, j, k = int(i), int(j), int(k)
    a = lattice(i, j, k) * (1 - fx) + lattice(i + 1, j, k) * fx
    b = lattice(i, j + 1, k) * (1 - fx) + lattice(i + 1, j + 1, k) * fx
    c = lattice(i, j, k + 1) * (1 - fx) + lattice(i + 1, j, k + 1) * fx
    d = lattice(i, j + 1, k + 1) * (1 - fx) + lattice(i + 1, j + 1, k + 1) * fx
    return (a * (1 - fy) + b * fy) * (1 - fz) + (c * (1 - fy) + d * fy) * fz - 0.5


@inner
def crease(kind: float, along: float, length: float, across: float, facing: float, name: float) -> float:
    """How dark a finger's skin is folded at this point, 0 to 1: wrinkles around the joints on its back (``facing``
    1), sharp lines inside (-1). ``along`` and ``across`` are millimetres of a grown-up's hand."""
    to_joint = FAR
    if kind <= KIND_MIDDLE:
        to_joint = abs(along - length)
    if kind >= KIND_MIDDLE:
        to_joint = min(to_joint, abs(along))
    wobble = 1.5 * mottle(across / 2.5 + name, name, 0.5)
    if facing > 0.1:
        folds = step_between(0.55, 1.0, math.cos((to_joint + wobble) * 2.0))
        return 0.30 * folds * step_between(5.5, 1.5, to_joint) * step_between(0.1, 0.6, facing)
    if facing >= -0.1:
        return 0.0
    line = step_between(1.0, 0.2, abs(to_joint + wobble * 0.4 - 0.2))
    line += 0.7 * step_between(0.9, 0.2, abs(to_joint + wobble * 0.5 - 2.4))
    dark = 0.38 * line
    if kind == KIND_FIRST:  # where the finger leaves the palm
        dark = max(dark, 0.35 * step_between(1.1, 0.2, abs(along - 15 + wobble * 0.5)))
    return dark * step_between(-0.1, -0.5, facing)


@inner
def redness(kind: float, group: float, share: float, facing: float) -> float:
    """How much blood shows through the skin, 0 to 1, at ``share`` of a bone's length: finger tips and knuckles."""
    red = 0.0
    if kind == KIND_LAST:
        red = 0.5 * step_between(0.35, 1.0, share)
    if group > PALM:
        if kind <= KIND_MIDDLE:
            red = max(red, 0.55 * step_between(0.72, 1.0, share) * step_between(0.0, 0.6, facing))
        if kind >= KIND_MIDDLE:
            red = max(red, 0.5 * step_between(0.25, 0.0, share) * step_between(0.0, 0.6, facing))
    if kind == KIND_PALM:
        red = max(red, 0.6 * step_between(0.82, 1.0, share) * step_between(0.2, 0.8, facing))
    return red


@inner
def nail(skin: Vector, along: float, across: float, radius: float, length: float) -> tuple[Vector, float]:
    """The skin's colour with the nail over it, and how much nail there is (0 to 1), near the end of a last bone.
    The nail is a rounded rectangle 2.7 radii long and 1.8 wide around 80 % of the bone's length."""
    u = (along - length * 0.80) / (radius * 1.35)
    v = across / (radius * 0.88)
    edge = u * u * u * u + v * v * v * v
    if edge >= 1.25:
        return skin, 0.0
    there = step_between(1.0, 0.85, edge)
    free = step_between(0.55, 0.8, u)  # the white end
    rim = 1 - 0.3 * step_between(0.2, 0.0, abs(edge - 1.02))
    mix = there * 0.75
    r = skin[0] + (skin[0] * 0.55 + 0.42 + 0.10 * free - skin[0]) * mix
    g = skin[1] + (skin[1] * 0.55 + 0.30 + 0.14 * free - skin[1]) * mix
    b = skin[2] + (skin[2] * 0.55 + 0.27 + 0.13 * free - skin[2]) * mix
    return (r * rim, g * rim, b * rim), there


@inner
def paint(field: Field, i: int, point: Vector, normal: Vector, coat: Coat) -> tuple[Vector, float, float]:
    """What the surface is made of at a point of segment ``i``: its colour, how much it shines, and how sharply."""
    qx, qy, qz = point[0] - field[X, i], point[1] - field[Y, i], point[2] - field[Z, i]
    ax, ay, az = field[AXIS_X, i], field[AXIS_Y, i], field[AXIS_Z, i]
    bx, by, bz = field[BACK_X, i], field[BACK_Y, i], field[BACK_Z, i]
    inverse = 1 / coat.size
    along = (qx * ax + qy * ay + qz * az) * inverse
    high = (qx * bx + qy * by + qz * bz) * inverse
    across = (qx * (ay * bz - az * by) + qy * (az * bx - ax * bz) + qz * (ax * by - ay * bx)) * inverse
    kind = field[KIND, i]
    if kind == KIND_SLEEVE:
        weave = 1 + 0.25 * mottle(along / 9, across / 22, high / 22) + 0.12 * mottle(along, across, high)
        return (coat.sleeve[0] * weave, coat.sleeve[1] * weave, coat.sleeve[2] * weave), 0.0, 18.0
    facing = normal[0] * bx + normal[1] * by + normal[2] * bz
    inside = step_between(0.15, -0.45, facing) if kind <= KIND_LAST else 0.6 * step_between(0.2, -0.6, facing)
    group = field[GROUP, i]
    name = 17.3 * field[NAME, i]
    length = field[LENGTH, i] * inverse
    uneven = 1 + 0.16 * mottle(along / 13 + name, across / 13, high / 13)
    uneven += 0.10 * mottle(along / 3.2 + name, across / 3.2, high / 3.2) + 0.07 * mottle(along, across + name, high)
    red = redness(kind, group, along / length, facing)
    folded = 0.0
    if group > PALM:
        folded = crease(kind, along, length, across, facing, name)
    r = (coat.back[0] + (coat.palm[0] - coat.back[0]) * inside) * uneven * (1 - 0.8 * folded)
    g = (coat.back[1] + (coat.palm[1] - coat.back[1]) * inside) * uneven * (1 - 0.16 * red) * (1 - folded)
    b = (coat.back[2] + (coat.palm[2] - coat.back[2]) * inside) * uneven * (1 - 0.18 * red) * (1 - folded)
    colour = (r, g, b)
    there = 0.0
    if kind == KIND_LAST and facing > 0.15:
        end_radius = (field[RADIUS, i] + field[TAPER, i] * field[LENGTH, i]) * inverse
        colour, there = nail(colour, along, across, end_radius, length)
    return colour, 0.05 + 0.22 * there, 18.0 + 30.0 * there


@inner
def slope(cluster: Cluster, point: Vector) -> Vector:
    """The direction out of the surface at a point: the gradient from the corners of a tetrahedron."""
    e = 0.35
    x, y, z = point
    a = distance(cluster, x + e, y - e, z - e)
    b = distance(cluster, x - e, y - e, z + e)
    c = distance(cluster, x - e, y + e, z - e)
    d = distance(cluster, x + e, y + e, z + e)
    gx, gy, gz = a - b - c + d, c + d - a - b, b + d - a - c
    inverse = 1 / math.sqrt(gx * gx + gy * gy + gz * gz + 1e-12)
    return gx * inverse, gy * inverse, gz * inverse


@inner
def along(start: Vector, direction: Vector, way: float) -> Vector:
    """The point ``way`` from ``start`` in a direction."""
    return start[0] + direction[0] * way, start[1] + direction[1] * way, start[2] + direction[2] * way


@inner
def openness_around(cluster: Cluster, point: Vector, normal: Vector) -> float:
    """The share of the light from all around that reaches a point, from how quickly the surface falls away above it:
    dark between fingers."""
    closed = 0.0
    for k in range(3):
        up = (1.2 + 3.6 * k) * cluster.size
        x, y, z = along(point, normal, up)
        d = distance(cluster, x, y, z)
        closed += max(0.0, up - d) / up * (1.0 - 0.22 * k)
    return max(0.12, 1 - 0.54 * closed)


@inner
def lamp_on_hand(cluster: Cluster, start: Vector, light: Light) -> float:
    """The share of the lamp's light that the hand itself leaves to a point just above its skin, 0 to 1."""
    lit = 1.0
    size = cluster.size
    way = 2.5 * size
    for _ in range(8):
        x, y, z = along(start, light.towards, way)
        d = distance(cluster, x, y, z)
        lit = min(lit, 0.5 + 6.0 * d / way)
        if lit <= 0:
            return 0.0
        way += max(1.5 * size, d)
        if way > 45 * size:
            break
    return lit * lit * (3 - 2 * lit)


@inner
def roughen(point: Vector, normal: Vector, size: float, name: float) -> Vector:
    """The normal, bent by the skin's grain of about a millimetre."""
    x, y, z = 1.1 * point[0] / size, 1.1 * point[1] / size, 1.1 * point[2] / size
    nx = normal[0] + 0.10 * mottle(x + 7.1, y, z + name)
    ny = normal[1] + 0.10 * mottle(x, y + 3.3, z + name)
    nz = normal[2] + 0.10 * mottle(x, y, z + 9.7 + name)
    inverse = 1 / math.sqrt(nx * nx + ny * ny + nz * nz)
    return nx * inverse, ny * inverse, nz * inverse


@inner
def wrapped(cosine: float, wrap: float) -> float:
    """Lambert's cosine, reaching ``wrap`` around the edge as light does that scatters under the skin."""
    return max(0.0, (cosine + wrap) / (1 + wrap))


@inner
def shade(near: Cluster, around: Cluster, point: Vector, ray: Vector, light: Light, coat: Coat) -> Vector:
    """The light a point of the surface sends back along ``ray``. ``near`` are the segments that make the surface
    there, ``around`` those that may keep light from it as well."""
    normal = slope(near, point)
    i = nearest(near)
    open_share = openness_around(around, point, normal)
    lit = lamp_on_hand(around, along(point, normal, 0.6), light)
    colour, shine, gloss = paint(near.segments, i, point, normal, coat)
    cloth = near.segments[KIND, i] == KIND_SLEEVE
    if not cloth:
        normal = roughen(point, normal, coat.size, 17.3 * near.segments[NAME, i])
    lx, ly, lz = light.towards
    cosine = normal[0] * lx + normal[1] * ly + normal[2] * lz
    # red light travels furthest under the skin, so the edge of a shadow on it is red
    red = wrapped(cosine, 0.1 if cloth else 0.38) * (lit * 0.85 + 0.15 * math.sqrt(lit))
    green = wrapped(cosine, 0.1 if cloth else 0.20) * lit
    blue = wrapped(cosine, 0.1 if cloth else 0.14) * lit
    sky = 0.45 + 0.55 * (0.5 + 0.5 * normal[2])
    hx, hy, hz = lx - ray[0], ly - ray[1], lz - ray[2]
    half = max(0.0, (normal[0] * hx + normal[1] * hy + normal[2] * hz) / math.sqrt(hx * hx + hy * hy + hz * hz))
    glance = 1 + normal[0] * ray[0] + normal[1] * ray[1] + normal[2] * ray[2]
    glance = min(max(glance, 0.0), 1.0)
    white = shine * math.pow(half, gloss) * lit * light.lamp[1] + 0.03 * glance * glance * glance
    return (
        colour[0] * (light.lamp[0] * red + light.around[0] * math.pow(open_share, 0.75) * sky) + white,
        colour[1] * (light.lamp[1] * green + light.around[1] * open_share * sky) + white,
        colour[2] * (light.lamp[2] * blue + light.around[2] * open_share * sky) + white,
    )


# -------- the pictures


@inner
def reach_tile(cluster: Cluster, view: View, ray: Vector, start: float, end: float, cone: float) -> float:
    """How far every ray of a tile may go at once before the first could touch the hand; ``end`` or more if none can.
    ``cone`` is the tile's half diagonal as a share of the way."""
    way = start
    for _ in range(24):
        free = distance(cluster, ray[0] * way, ray[1] * way, view.height + ray[2] * way) - cone * way
        if free < 0.5:
            break
        way += free * 0.9
        if way > end:
            break
    return way


@inner
def march(cluster: Cluster, view: View, ray: Vector, start: float, end: float) -> tuple[float, float]:
    """Follow a ray from the camera. Returns how far it went to the point nearest the hand, and how near that was
    (less than HIT_MM: it hit)."""
    way = start
    best, best_way = FAR, start
    for _ in range(40):
        d = distance(cluster, ray[0] * way, ray[1] * way, view.height + ray[2] * way)
        if d < best:
            best, best_way = d, way
        if d < HIT_MM:
            break
        way += d * 0.95
        if way > end:
            break
    return best_way, best


@inner
def ray_through(view: View, u: float, v: float) -> Vector:
    """The unit direction from the camera through a point ``u``, ``v`` of the frame, in pixels."""
    dx, dy = (u - view.centre_x) / view.focal, (view.centre_y - v) / view.focal
    inverse = 1 / math.sqrt(dx * dx + dy * dy + 1)
    return dx * inverse, dy * inverse, -inverse


@inner
def trace_tile(
    near: Cluster,
    around: Cluster,
    view: View,
    light: Light,
    coat: Coat,
    tile: tuple[int, int, int, int],
    top_mm: float,
    weight: float,
    layer: Picture,
) -> None:
    """Trace the picture's pixels from ``tile``'s left, top to its right, bottom."""
    left, top, right, bottom = tile
    u = view.left + 0.5 * (left + right) * view.step_x
    v = view.top + 0.5 * (top + bottom) * view.step_y
    middle = ray_through(view, u, v)
    diagonal = 0.5 * math.sqrt(((right - left) * view.step_x) ** 2 + ((bottom - top) * view.step_y) ** 2)
    start, end = (view.height - top_mm) / -middle[2], view.height / -middle[2]
    start = reach_tile(near, view, middle, start, end, diagonal / view.focal)
    if start > end:
        return
    start *= -middle[2]  # as height, which is the same for the tile's other rays
    pixel_mm = math.sqrt(view.step_x * view.step_y) / view.focal
    for y in range(top, bottom):
        for x in range(left, right):
            ray = ray_through(view, view.left + (x + 0.5) * view.step_x, view.top + (y + 0.5) * view.step_y)
            way, gap = march(near, view, ray, start / -ray[2], view.height / -ray[2])
            cover = weight
            if gap >= HIT_MM:  # a near miss covers part of the pixel
                cover *= 1 - gap / (pixel_mm * way)
                if cover <= 0:
                    continue
            point = along((0.0, 0.0, view.height), ray, way)
            colour = shade(near, around, point, ray, light, coat)
            layer[y, x, 0] += cover * colour[0]
            layer[y, x, 1] += cover * colour[1]
            layer[y, x, 2] += cover * colour[2]
            layer[y, x, 3] += cover


@kernel
def trace(field: Field, view: View, light: Light, coat: Coat, weight: float, layer: Picture) -> None:
    """Add a hand to ``layer`` (height, width, 4): red, green, blue in linear light times the share of the pixel it
    covers, and that share, all times ``weight``, which is the share of the exposure this moment stands for."""
    height, width = layer.shape[0], layer.shape[1]
    columns = (field.shape[1] + LANES - 1) // LANES * LANES
    near = np.empty((ROWS, columns), np.float32)
    around = np.empty((ROWS, columns), np.float32)
    out = np.empty(columns, np.float32)
    top_mm = 0.0
    for i in range(field.shape[1]):
        end_radius = field[RADIUS, i] + field[TAPER, i] * field[LENGTH, i]
        end_z = field[Z, i] + field[AXIS_Z, i] * field[LENGTH, i]
        top_mm = max(top_mm, field[Z, i] + field[RADIUS, i] + 4, end_z + end_radius + 4)
    half = 0.5 * TILE * math.sqrt(view.step_x**2 + view.step_y**2)
    for top in range(0, height, TILE):
        for left in range(0, width, TILE):
            u = view.left + (left + 0.5 * TILE) * view.step_x - view.centre_x
            v = view.centre_y - view.top - (top + 0.5 * TILE) * view.step_y
            near_count = gather(field, view, u, v, REACH_MARCH_MM * coat.size, half, near)
            if near_count == 0:
                continue
            around_count = gather(field, view, u, v, REACH_SHADE_MM * coat.size, half, around)
            tile = (left, top, min(left + TILE, width), min(top + TILE, height))
            near_by = Cluster(near, near_count, coat.size, out)
            wider = Cluster(around, around_count, coat.size, out)
            trace_tile(near_by, wider, view, light, coat, tile, top_mm, weight, layer)


@inner
def gather_towards(field: Field, x: float, y: float, light: Light, out: Field) -> int:
    """As gather, for the cone from a point of the table to the lamp."""
    lx, ly, lz = light.towards
    count = 0
    for i in range(field.shape[1]):
        half = 0.5 * field[LENGTH, i]
        mx = field[X, i] + field[AXIS_X, i] * half - x
        my = field[Y, i] + field[AXIS_Y, i] * half - y
        mz = field[Z, i] + field[AXIS_Z, i] * half
        way = max(0.0, mx * lx + my * ly + mz * lz)
        away = (mx - lx * way) ** 2 + (my - ly * way) ** 2 + (mz - lz * way) ** 2
        end_radius = field[RADIUS, i] + field[TAPER, i] * field[LENGTH, i]
        if away < (half + max(field[RADIUS, i], end_radius) + 6 + light.softness * way) ** 2:
            for row in range(ROWS):
                out[row, count] = field[row, i]
            count += 1
    pad(out, count)
    return count


@inner
def lamp_on_table(cluster: Cluster, x: float, y: float, light: Light) -> float:
    """The share of the lamp's light a hand leaves to a point of the table, 0 to 1."""
    lx, ly, lz = light.towards
    lit, way = 1.0, 1.5
    for _ in range(24):
        d = distance(cluster, x + lx * way, y + ly * way, lz * way)
        lit = min(lit, 0.5 + 0.5 * d / (light.softness * way + 0.6))
        if lit <= 0:
            return 0.0
        way += max(2.0, abs(d))
        if lz * way > 230:  # above every hand
            break
    return lit * lit * (3 - 2 * lit)


@kernel
def cast_shadow(
    field: Field, view: View, light: Light, size: float, area: tuple[int, int, int, int], shadow: Picture
) -> None:
    """Darken ``shadow`` (height, width, 2: the share of the lamp's light and of the light from around that is left)
    where the hand stands in the way, from ``area``'s left, top to its right, bottom. The table is at z = 0."""
    columns = (field.shape[1] + LANES - 1) // LANES * LANES
    towards = np.empty((ROWS, columns), np.float32)
    out = np.empty(columns, np.float32)
    mm = view.height / view.focal
    left, top, right, bottom = area
    for row in range(top, bottom):
        y = (view.centre_y - view.top - (row + 0.5) * view.step_y) * mm
        for column in range(left, right):
            x = (view.left + (column + 0.5) * view.step_x - view.centre_x) * mm
            count = gather_towards(field, x, y, light, towards)
            if count == 0:
                continue
            cluster = Cluster(towards, count, size, out)
            lit = lamp_on_table(cluster, x, y, light)
            low = distance(cluster, x, y, 8.0 * size) / (8 * size)
            high = distance(cluster, x, y, 24.0 * size) / (24 * size)
            around = min(1.0, max(0.0, 0.45 + 0.55 * low), max(0.0, 0.55 + 0.45 * high))
            shadow[row, column, 0] = min(shadow[row, column, 0], lit)
            shadow[row, column, 1] = min(shadow[row, column, 1], around)
