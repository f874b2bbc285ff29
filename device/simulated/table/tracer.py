"""The simulated table's ray tracer: it marches every pixel's ray through a hand's distance field and shades it as skin.
Lengths are in mm, colours in linear light. All kernels are in this file, because numba's cache only notices changes in
the file of the compiled function."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

try:
    import numba
except ModuleNotFoundError:  # a box with a camera does without it, and imports this module all the same
    numba = None
HAS_NUMBA = numba is not None

Vector = tuple[float, float, float]
HandSegments = NDArray[np.float32]
"""A hand as segments (cones with round ends), one per column: (FIELD_ROWS, n), sorted by group, in mm on the table: x
to the right of the image, y up, z towards the camera, the table at z = 0."""
LinearPicture = NDArray[np.float32]
Distances = NDArray[np.float32]

X, Y, Z, AXIS_X, AXIS_Y, AXIS_Z, LENGTH, RADIUS, TAPER, BACK_X, BACK_Y, BACK_Z, GROUP, IS_BASE, KIND, PATTERN_SEED = (
    range(16)
)
"""The rows of HandSegments: the segment's start, direction and length, its radius at the start and the gain in radius
per mm, the direction of the hand's back, its group, whether it joins a finger to the palm (1) or not (0), its kind, and
the seed of its skin pattern."""
FIELD_ROWS = 16
PALM, THUMB = 0, 1
"""Groups; fingers are 2 to 5."""
KIND_PALM, KIND_FIRST, KIND_MIDDLE, KIND_LAST, KIND_ARM, KIND_SLEEVE = range(6)
"""Kinds of segments; FIRST, MIDDLE and LAST are the bones of a finger from knuckle to tip."""

SIMD_LANES = 8
"""Segments measured together: eight 32-bit floats fill one AVX2 register."""
TILE_PX = 8
"""Side of a tile; its rays share one list of segments."""
FAR_MM = 1e9
HIT_DISTANCE_MM = 0.12
MARCH_MARGIN_MM, SHADE_MARGIN_MM = 7.0, 16.0
"""How far beyond its surface a segment still matters for the shape (the widest blend is 11 mm, half on either side),
and for the light in creases."""


class CameraView(NamedTuple):
    """A pinhole camera above the table, looking straight down, and the picture to render. Lengths are in pixels of the
    frame."""

    left: float
    """The picture's left edge."""
    top: float
    """The picture's upper edge."""
    step_x: float
    """The width of a pixel of the picture."""
    step_y: float
    """The height of a pixel of the picture."""
    centre_x: float
    """The point below the camera, from the left."""
    centre_y: float
    """The point below the camera, from the top."""
    focal_px: float
    """The focal length."""
    height_mm: float
    """The camera's height over the table."""


class LampLight(NamedTuple):
    """A lamp and the ambient light."""

    towards: Vector
    """The direction to the lamp."""
    lamp: Vector
    """The lamp's colour."""
    ambient: Vector
    """The colour of the ambient light."""
    softness: float
    """The tangent of half the angle that the lamp subtends."""


class HandCoat(NamedTuple):
    """The colours of a hand's back, palm and sleeve in linear light."""

    back: Vector
    palm: Vector
    sleeve: Vector
    size: float
    """The scale of the skin's pattern; 1 for an adult."""


class SegmentCluster(NamedTuple):
    """The segments that matter in one place."""

    segments: HandSegments
    """Padded to a multiple of SIMD_LANES with segments too far away to matter."""
    segment_count: int
    """How many of the segments matter: the first."""
    size: float
    distances: Distances
    """A buffer for the distance to each segment."""


Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def compile_kernel(function: Kernel) -> Kernel:
    """Compile ``function`` with numba for use from several Python threads: it releases the GIL. numba's own thread pool
    is not used, since the default one aborts the process when two threads enter it.

    The machine code is cached next to the source or, if that is not writable, in the user's cache directory; if neither
    is, it is compiled at every start. Without numba, ``function`` is returned as it is."""
    if numba is None:
        return function
    try:
        return cast(Kernel, numba.njit(cache=True, nogil=True, fastmath=True)(function))
    except RuntimeError:  # numba found no writable directory
        return compile_inner(function)


def compile_inner(function: Kernel) -> Kernel:
    """Compile ``function`` as a part of the kernels that call it, and cache it with them."""
    return cast(Kernel, numba.njit(nogil=True, fastmath=True)(function)) if numba else function


# -------- the distance field


@compile_inner
def soft_min(a: float, b: float, width: float) -> float:
    """Return the smaller of two distances, blended where they differ by less than ``width`` (polynomial smooth minimum,
    Quilez 2013)."""
    overlap = width - abs(a - b)
    if overlap <= 0:
        return min(a, b)
    return min(a, b) - overlap * overlap * 0.25 / width


@compile_inner
def measure_segments(cluster: SegmentCluster, x: float, y: float, z: float) -> None:
    """Compute the distance from a point to each segment. The inner loop has a fixed length and no branch, so that it is
    vectorised."""
    field, out = cluster.segments, cluster.distances
    zero = np.float32(0)
    px, py, pz = np.float32(x), np.float32(y), np.float32(z)
    for block in range(0, cluster.segment_count, SIMD_LANES):
        for lane in range(SIMD_LANES):
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


@compile_inner
def join_finger(whole: float, base: float, rest: float, group: float, size: float) -> float:
    """Blend a finger into ``whole``, the distance to the rest of the hand: ``base`` is the distance to the finger's
    first bone, ``rest`` to the others. Skin spans the gap to the palm at the first bone (8 mm, 10 mm for the thumb),
    not at the tip."""
    finger = soft_min(base, rest, 2.5 * size)
    near_base = min(max((rest - base) / (6.0 * size) + 0.5, 0.0), 1.0)
    return soft_min(whole, finger, (1.0 + (7.0 if group > THUMB else 9.0) * near_base) * size)


@compile_inner
def hand_distance(cluster: SegmentCluster, x: float, y: float, z: float) -> float:
    """Return the distance from a point to the skin or sleeve, negative inside. Fills ``cluster.distances``."""
    measure_segments(cluster, x, y, z)
    field, count, size, out = cluster
    palm = FAR_MM
    i = 0
    while i < count and field[GROUP, i] == PALM:
        if palm > FAR_MM / 2 or field[KIND, i] == KIND_SLEEVE:
            palm = min(palm, float(out[i]))
        else:
            palm = soft_min(palm, float(out[i]), 11.0 * size)
        i += 1
    whole = palm
    while i < count:
        group = field[GROUP, i]
        base = FAR_MM
        rest = FAR_MM
        while i < count and field[GROUP, i] == group:
            if field[IS_BASE, i] > 0:
                base = float(out[i])
            elif rest > FAR_MM / 2:
                rest = float(out[i])
            else:
                rest = soft_min(rest, float(out[i]), 2.5 * size)
            i += 1
        # fingers touch each other in a crease of 0.8 mm
        whole = soft_min(whole, join_finger(palm, base, rest, group, size), 0.8 * size)
    return whole


@compile_inner
def nearest_segment(cluster: SegmentCluster) -> int:
    """Return the segment nearest to the last measured point."""
    best = 0
    for i in range(1, cluster.segment_count):
        if cluster.distances[i] < cluster.distances[best]:
            best = i
    return best


@compile_inner
def pad_columns(field: HandSegments, count: int) -> None:
    """Pad the columns from ``count`` to a multiple of SIMD_LANES with segments too far away to matter."""
    for i in range(count, (count + SIMD_LANES - 1) // SIMD_LANES * SIMD_LANES):
        for row in range(FIELD_ROWS):
            field[row, i] = 0
        field[RADIUS, i] = -FAR_MM


@compile_inner
def gather_segments(
    field: HandSegments, view: CameraView, u: float, v: float, margin_mm: float, half: float, out: HandSegments
) -> int:
    """Copy into ``out`` the segments that may matter to a tile and return their number. The tile is around ``u``, ``v``
    (pixels of the frame from the centre, v up), ``half`` is half its diagonal in pixels of the frame, and segments
    matter within ``margin_mm`` of their surface."""
    count = 0
    for i in range(field.shape[1]):
        zoom_a = view.focal_px / (view.height_mm - field[Z, i])
        end_z = field[Z, i] + field[AXIS_Z, i] * field[LENGTH, i]
        zoom_b = view.focal_px / (view.height_mm - end_z)
        ax = field[X, i] * zoom_a
        ay = field[Y, i] * zoom_a
        dx = (field[X, i] + field[AXIS_X, i] * field[LENGTH, i]) * zoom_b - ax
        dy = (field[Y, i] + field[AXIS_Y, i] * field[LENGTH, i]) * zoom_b - ay
        share = ((u - ax) * dx + (v - ay) * dy) / (dx * dx + dy * dy + 1e-9)
        share = min(max(share, 0.0), 1.0)
        away = math.sqrt((ax + dx * share - u) ** 2 + (ay + dy * share - v) ** 2)
        end_radius = field[RADIUS, i] + field[TAPER, i] * field[LENGTH, i]
        radius = max(field[RADIUS, i] * zoom_a, end_radius * zoom_b)
        if away < radius + margin_mm * max(zoom_a, zoom_b) + half:
            for row in range(FIELD_ROWS):
                out[row, count] = field[row, i]
            count += 1
    pad_columns(out, count)
    return count


# -------- skin and cloth


@compile_inner
def smoothstep(a: float, b: float, x: float) -> float:
    """Interpolate smoothly from 0 at ``a`` to 1 at ``b``, constant beyond; ``b`` may be smaller than ``a``."""
    t = min(max((x - a) / (b - a), 0.0), 1.0)
    return t * t * (3 - 2 * t)


@compile_inner
def lattice_noise(i: int, j: int, k: int) -> float:
    """Hash a grid point to a number from 0 to 1."""
    h = (i * 374761393 + j * 668265263 + k * 1274126177) & 0xFFFFFFFF
    h = ((h ^ (h >> 13)) * 1103515245) & 0xFFFFFFFF
    return ((h ^ (h >> 16)) & 0xFFFF) / 65535.0


@compile_inner
def smooth_noise(x: float, y: float, z: float) -> float:
    """Return smooth noise from -0.5 to 0.5 with a feature size of about 1."""
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
    a = lattice_noise(i, j, k) * (1 - fx) + lattice_noise(i + 1, j, k) * fx
    b = lattice_noise(i, j + 1, k) * (1 - fx) + lattice_noise(i + 1, j + 1, k) * fx
    c = lattice_noise(i, j, k + 1) * (1 - fx) + lattice_noise(i + 1, j, k + 1) * fx
    d = lattice_noise(i, j + 1, k + 1) * (1 - fx) + lattice_noise(i + 1, j + 1, k + 1) * fx
    return (a * (1 - fy) + b * fy) * (1 - fz) + (c * (1 - fy) + d * fy) * fz - 0.5


@compile_inner
def crease_darkness(kind: float, along: float, length: float, across: float, facing: float, name: float) -> float:
    """Return how dark a finger's creases are at a point, 0 to 1: wrinkles around the joints on its back (``facing`` 1),
    sharp lines on its inside (-1). ``along`` and ``across`` are in mm of an adult's hand."""
    to_joint = FAR_MM
    if kind <= KIND_MIDDLE:
        to_joint = abs(along - length)
    if kind >= KIND_MIDDLE:
        to_joint = min(to_joint, abs(along))
    wobble = 1.5 * smooth_noise(across / 2.5 + name, name, 0.5)
    if facing > 0.1:
        folds = smoothstep(0.55, 1.0, math.cos((to_joint + wobble) * 2.0))
        return 0.30 * folds * smoothstep(5.5, 1.5, to_joint) * smoothstep(0.1, 0.6, facing)
    if facing >= -0.1:
        return 0.0
    line = smoothstep(1.0, 0.2, abs(to_joint + wobble * 0.4 - 0.2))
    line += 0.7 * smoothstep(0.9, 0.2, abs(to_joint + wobble * 0.5 - 2.4))
    dark = 0.38 * line
    if kind == KIND_FIRST:  # where the finger joins the palm
        dark = max(dark, 0.35 * smoothstep(1.1, 0.2, abs(along - 15 + wobble * 0.5)))
    return dark * smoothstep(-0.1, -0.5, facing)


@compile_inner
def redness(kind: float, group: float, share: float, facing: float) -> float:
    """Return how red the skin is, 0 to 1, at ``share`` of a bone's length: fingertips and knuckles."""
    red = 0.0
    if kind == KIND_LAST:
        red = 0.5 * smoothstep(0.35, 1.0, share)
    if group > PALM:
        if kind <= KIND_MIDDLE:
            red = max(red, 0.55 * smoothstep(0.72, 1.0, share) * smoothstep(0.0, 0.6, facing))
        if kind >= KIND_MIDDLE:
            red = max(red, 0.5 * smoothstep(0.25, 0.0, share) * smoothstep(0.0, 0.6, facing))
    if kind == KIND_PALM:
        red = max(red, 0.6 * smoothstep(0.82, 1.0, share) * smoothstep(0.2, 0.8, facing))
    return red


@compile_inner
def nail_colour(skin: Vector, along: float, across: float, radius: float, length: float) -> tuple[Vector, float]:
    """Return the skin's colour with the nail over it, and the nail's share (0 to 1), near the end of a last bone. The
    nail is a rounded rectangle, 2.7 radii long and 1.8 wide, centred at 80% of the bone's length."""
    u = (along - length * 0.80) / (radius * 1.35)
    v = across / (radius * 0.88)
    edge = u * u * u * u + v * v * v * v
    if edge >= 1.25:
        return skin, 0.0
    on_nail = smoothstep(1.0, 0.85, edge)
    free = smoothstep(0.55, 0.8, u)  # the white end
    rim = 1 - 0.3 * smoothstep(0.2, 0.0, abs(edge - 1.02))
    mix = on_nail * 0.75
    r = skin[0] + (skin[0] * 0.55 + 0.42 + 0.10 * free - skin[0]) * mix
    g = skin[1] + (skin[1] * 0.55 + 0.30 + 0.14 * free - skin[1]) * mix
    b = skin[2] + (skin[2] * 0.55 + 0.27 + 0.13 * free - skin[2]) * mix
    return (r * rim, g * rim, b * rim), on_nail


@compile_inner
def surface_material(
    field: HandSegments, i: int, point: Vector, normal: Vector, coat: HandCoat
) -> tuple[Vector, float, float]:
    """Return the surface at a point of segment ``i``: its colour, how much it shines, and how sharply."""
    qx, qy, qz = point[0] - field[X, i], point[1] - field[Y, i], point[2] - field[Z, i]
    ax, ay, az = field[AXIS_X, i], field[AXIS_Y, i], field[AXIS_Z, i]
    bx, by, bz = field[BACK_X, i], field[BACK_Y, i], field[BACK_Z, i]
    inverse = 1 / coat.size
    along = (qx * ax + qy * ay + qz * az) * inverse
    high = (qx * bx + qy * by + qz * bz) * inverse
    across = (qx * (ay * bz - az * by) + qy * (az * bx - ax * bz) + qz * (ax * by - ay * bx)) * inverse
    kind = field[KIND, i]
    if kind == KIND_SLEEVE:
        weave = 1 + 0.25 * smooth_noise(along / 9, across / 22, high / 22) + 0.12 * smooth_noise(along, across, high)
        return (coat.sleeve[0] * weave, coat.sleeve[1] * weave, coat.sleeve[2] * weave), 0.0, 18.0
    facing = normal[0] * bx + normal[1] * by + normal[2] * bz
    inside = smoothstep(0.15, -0.45, facing) if kind <= KIND_LAST else 0.6 * smoothstep(0.2, -0.6, facing)
    group = field[GROUP, i]
    name = 17.3 * field[PATTERN_SEED, i]
    length = field[LENGTH, i] * inverse
    uneven = 1 + 0.16 * smooth_noise(along / 13 + name, across / 13, high / 13)
    uneven += 0.10 * smooth_noise(along / 3.2 + name, across / 3.2, high / 3.2) + 0.07 * smooth_noise(
        along, across + name, high
    )
    red = redness(kind, group, along / length, facing)
    folded = 0.0
    if group > PALM:
        folded = crease_darkness(kind, along, length, across, facing, name)
    r = (coat.back[0] + (coat.palm[0] - coat.back[0]) * inside) * uneven * (1 - 0.8 * folded)
    g = (coat.back[1] + (coat.palm[1] - coat.back[1]) * inside) * uneven * (1 - 0.16 * red) * (1 - folded)
    b = (coat.back[2] + (coat.palm[2] - coat.back[2]) * inside) * uneven * (1 - 0.18 * red) * (1 - folded)
    colour = (r, g, b)
    on_nail = 0.0
    if kind == KIND_LAST and facing > 0.15:
        end_radius = (field[RADIUS, i] + field[TAPER, i] * field[LENGTH, i]) * inverse
        colour, on_nail = nail_colour(colour, along, across, end_radius, length)
    return colour, 0.05 + 0.22 * on_nail, 18.0 + 30.0 * on_nail


@compile_inner
def surface_normal(cluster: SegmentCluster, point: Vector) -> Vector:
    """Return the surface normal at a point: the gradient over the corners of a tetrahedron."""
    e = 0.35
    x, y, z = point
    a = hand_distance(cluster, x + e, y - e, z - e)
    b = hand_distance(cluster, x - e, y - e, z + e)
    c = hand_distance(cluster, x - e, y + e, z - e)
    d = hand_distance(cluster, x + e, y + e, z + e)
    gx, gy, gz = a - b - c + d, c + d - a - b, b + d - a - c
    inverse = 1 / math.sqrt(gx * gx + gy * gy + gz * gz + 1e-12)
    return gx * inverse, gy * inverse, gz * inverse


@compile_inner
def point_along(start: Vector, direction: Vector, distance: float) -> Vector:
    """Return the point ``distance`` mm from ``start`` in a direction."""
    return start[0] + direction[0] * distance, start[1] + direction[1] * distance, start[2] + direction[2] * distance


@compile_inner
def ambient_share(cluster: SegmentCluster, point: Vector, normal: Vector) -> float:
    """Return the share of the ambient light that reaches a point (ambient occlusion), low between fingers."""
    closed = 0.0
    for k in range(3):
        up = (1.2 + 3.6 * k) * cluster.size
        x, y, z = point_along(point, normal, up)
        d = hand_distance(cluster, x, y, z)
        closed += max(0.0, up - d) / up * (1.0 - 0.22 * k)
    return max(0.12, 1 - 0.54 * closed)


@compile_inner
def lamp_share_on_hand(cluster: SegmentCluster, start: Vector, light: LampLight) -> float:
    """Return the share of the lamp's light, 0 to 1, that the hand lets through to a point just above its skin."""
    lit = 1.0
    size = cluster.size
    distance = 2.5 * size
    for _ in range(8):
        x, y, z = point_along(start, light.towards, distance)
        d = hand_distance(cluster, x, y, z)
        lit = min(lit, 0.5 + 6.0 * d / distance)
        if lit <= 0:
            return 0.0
        distance += max(1.5 * size, d)
        if distance > 45 * size:
            break
    return lit * lit * (3 - 2 * lit)


@compile_inner
def roughen_normal(point: Vector, normal: Vector, size: float, name: float) -> Vector:
    """Perturb the normal by the skin's grain of about 1 mm."""
    x, y, z = 1.1 * point[0] / size, 1.1 * point[1] / size, 1.1 * point[2] / size
    nx = normal[0] + 0.10 * smooth_noise(x + 7.1, y, z + name)
    ny = normal[1] + 0.10 * smooth_noise(x, y + 3.3, z + name)
    nz = normal[2] + 0.10 * smooth_noise(x, y, z + 9.7 + name)
    inverse = 1 / math.sqrt(nx * nx + ny * ny + nz * nz)
    return nx * inverse, ny * inverse, nz * inverse


@compile_inner
def wrapped_cosine(cosine: float, wrap: float) -> float:
    """Return Lambert's cosine extended by ``wrap`` beyond the edge, as light scatters under the skin."""
    return max(0.0, (cosine + wrap) / (1 + wrap))


@compile_inner
def shade(
    near: SegmentCluster, around: SegmentCluster, point: Vector, ray: Vector, light: LampLight, coat: HandCoat
) -> Vector:
    """Return the light that a point of the surface reflects along ``ray``. ``near`` are the segments of the surface
    there, ``around`` also those that may shadow it."""
    normal = surface_normal(near, point)
    i = nearest_segment(near)
    open_share = ambient_share(around, point, normal)
    lit = lamp_share_on_hand(around, point_along(point, normal, 0.6), light)
    colour, shine, gloss = surface_material(near.segments, i, point, normal, coat)
    cloth = near.segments[KIND, i] == KIND_SLEEVE
    if not cloth:
        normal = roughen_normal(point, normal, coat.size, 17.3 * near.segments[PATTERN_SEED, i])
    lx, ly, lz = light.towards
    cosine = normal[0] * lx + normal[1] * ly + normal[2] * lz
    # red light travels farthest under the skin, so shadows on it have a red edge
    red = wrapped_cosine(cosine, 0.1 if cloth else 0.38) * (lit * 0.85 + 0.15 * math.sqrt(lit))
    green = wrapped_cosine(cosine, 0.1 if cloth else 0.20) * lit
    blue = wrapped_cosine(cosine, 0.1 if cloth else 0.14) * lit
    sky = 0.45 + 0.55 * (0.5 + 0.5 * normal[2])
    hx, hy, hz = lx - ray[0], ly - ray[1], lz - ray[2]
    half = max(0.0, (normal[0] * hx + normal[1] * hy + normal[2] * hz) / math.sqrt(hx * hx + hy * hy + hz * hz))
    glance = 1 + normal[0] * ray[0] + normal[1] * ray[1] + normal[2] * ray[2]
    glance = min(max(glance, 0.0), 1.0)
    white = shine * math.pow(half, gloss) * lit * light.lamp[1] + 0.03 * glance * glance * glance
    return (
        colour[0] * (light.lamp[0] * red + light.ambient[0] * math.pow(open_share, 0.75) * sky) + white,
        colour[1] * (light.lamp[1] * green + light.ambient[1] * open_share * sky) + white,
        colour[2] * (light.lamp[2] * blue + light.ambient[2] * open_share * sky) + white,
    )


# -------- the pictures


@compile_inner
def skip_empty_space(
    cluster: SegmentCluster, view: CameraView, ray: Vector, start: float, end: float, cone: float
) -> float:
    """Return how far all rays of a tile can go before one could touch the hand; ``end`` or more if none can. ``cone``
    is half the tile's diagonal relative to the distance."""
    distance = start
    for _ in range(24):
        free = (
            hand_distance(cluster, ray[0] * distance, ray[1] * distance, view.height_mm + ray[2] * distance)
            - cone * distance
        )
        if free < 0.5:
            break
        distance += free * 0.9
        if distance > end:
            break
    return distance


@compile_inner
def march_ray(cluster: SegmentCluster, view: CameraView, ray: Vector, start: float, end: float) -> tuple[float, float]:
    """March a ray from the camera. Returns the distance to the point nearest the hand, and how near that is (a hit if
    below HIT_DISTANCE_MM)."""
    distance = start
    best, nearest_at = FAR_MM, start
    for _ in range(40):
        d = hand_distance(cluster, ray[0] * distance, ray[1] * distance, view.height_mm + ray[2] * distance)
        if d < best:
            best, nearest_at = d, distance
        if d < HIT_DISTANCE_MM:
            break
        distance += d * 0.95
        if distance > end:
            break
    return nearest_at, best


@compile_inner
def ray_through(view: CameraView, u: float, v: float) -> Vector:
    """Return the unit direction from the camera through the point ``u``, ``v`` of the frame, in pixels."""
    dx, dy = (u - view.centre_x) / view.focal_px, (view.centre_y - v) / view.focal_px
    inverse = 1 / math.sqrt(dx * dx + dy * dy + 1)
    return dx * inverse, dy * inverse, -inverse


@compile_inner
def trace_tile(
    near: SegmentCluster,
    around: SegmentCluster,
    view: CameraView,
    light: LampLight,
    coat: HandCoat,
    tile: tuple[int, int, int, int],
    top_mm: float,
    weight: float,
    layer: LinearPicture,
) -> None:
    """Trace the pixels of a tile (left, top, right, bottom)."""
    left, top, right, bottom = tile
    u = view.left + 0.5 * (left + right) * view.step_x
    v = view.top + 0.5 * (top + bottom) * view.step_y
    middle = ray_through(view, u, v)
    diagonal = 0.5 * math.sqrt(((right - left) * view.step_x) ** 2 + ((bottom - top) * view.step_y) ** 2)
    start, end = (view.height_mm - top_mm) / -middle[2], view.height_mm / -middle[2]
    start = skip_empty_space(near, view, middle, start, end, diagonal / view.focal_px)
    if start > end:
        return
    start *= -middle[2]  # as a height, which is the same for all rays of the tile
    pixel_mm = math.sqrt(view.step_x * view.step_y) / view.focal_px
    for y in range(top, bottom):
        for x in range(left, right):
            ray = ray_through(view, view.left + (x + 0.5) * view.step_x, view.top + (y + 0.5) * view.step_y)
            distance, gap = march_ray(near, view, ray, start / -ray[2], view.height_mm / -ray[2])
            cover = weight
            if gap >= HIT_DISTANCE_MM:  # a near miss covers part of the pixel
                cover *= 1 - gap / (pixel_mm * distance)
                if cover <= 0:
                    continue
            point = point_along((0.0, 0.0, view.height_mm), ray, distance)
            colour = shade(near, around, point, ray, light, coat)
            layer[y, x, 0] += cover * colour[0]
            layer[y, x, 1] += cover * colour[1]
            layer[y, x, 2] += cover * colour[2]
            layer[y, x, 3] += cover


@compile_kernel
def trace(
    field: HandSegments, view: CameraView, light: LampLight, coat: HandCoat, weight: float, layer: LinearPicture
) -> None:
    """Add a hand to ``layer`` (height, width, 4): linear RGB times its coverage of the pixel, and the coverage, all
    times ``weight``, the share of the exposure that this moment represents."""
    height, width = layer.shape[0], layer.shape[1]
    columns = (field.shape[1] + SIMD_LANES - 1) // SIMD_LANES * SIMD_LANES
    near = np.empty((FIELD_ROWS, columns), np.float32)
    around = np.empty((FIELD_ROWS, columns), np.float32)
    out = np.empty(columns, np.float32)
    top_mm = 0.0
    for i in range(field.shape[1]):
        end_radius = field[RADIUS, i] + field[TAPER, i] * field[LENGTH, i]
        end_z = field[Z, i] + field[AXIS_Z, i] * field[LENGTH, i]
        top_mm = max(top_mm, field[Z, i] + field[RADIUS, i] + 4, end_z + end_radius + 4)
    half = 0.5 * TILE_PX * math.sqrt(view.step_x**2 + view.step_y**2)
    for top in range(0, height, TILE_PX):
        for left in range(0, width, TILE_PX):
            u = view.left + (left + 0.5 * TILE_PX) * view.step_x - view.centre_x
            v = view.centre_y - view.top - (top + 0.5 * TILE_PX) * view.step_y
            near_count = gather_segments(field, view, u, v, MARCH_MARGIN_MM * coat.size, half, near)
            if near_count == 0:
                continue
            around_count = gather_segments(field, view, u, v, SHADE_MARGIN_MM * coat.size, half, around)
            tile = (left, top, min(left + TILE_PX, width), min(top + TILE_PX, height))
            near_cluster = SegmentCluster(near, near_count, coat.size, out)
            around_cluster = SegmentCluster(around, around_count, coat.size, out)
            trace_tile(near_cluster, around_cluster, view, light, coat, tile, top_mm, weight, layer)


@compile_inner
def gather_towards_lamp(field: HandSegments, x: float, y: float, light: LampLight, out: HandSegments) -> int:
    """Like gather_segments, for the cone from a point of the table to the lamp."""
    lx, ly, lz = light.towards
    count = 0
    for i in range(field.shape[1]):
        half = 0.5 * field[LENGTH, i]
        mx = field[X, i] + field[AXIS_X, i] * half - x
        my = field[Y, i] + field[AXIS_Y, i] * half - y
        mz = field[Z, i] + field[AXIS_Z, i] * half
        distance = max(0.0, mx * lx + my * ly + mz * lz)
        away = (mx - lx * distance) ** 2 + (my - ly * distance) ** 2 + (mz - lz * distance) ** 2
        end_radius = field[RADIUS, i] + field[TAPER, i] * field[LENGTH, i]
        if away < (half + max(field[RADIUS, i], end_radius) + 6 + light.softness * distance) ** 2:
            for row in range(FIELD_ROWS):
                out[row, count] = field[row, i]
            count += 1
    pad_columns(out, count)
    return count


@compile_inner
def lamp_share_on_table(cluster: SegmentCluster, x: float, y: float, light: LampLight) -> float:
    """Return the share of the lamp's light, 0 to 1, that a hand lets through to a point of the table."""
    lx, ly, lz = light.towards
    lit, distance = 1.0, 1.5
    for _ in range(24):
        d = hand_distance(cluster, x + lx * distance, y + ly * distance, lz * distance)
        lit = min(lit, 0.5 + 0.5 * d / (light.softness * distance + 0.6))
        if lit <= 0:
            return 0.0
        distance += max(2.0, abs(d))
        if lz * distance > 230:  # above every hand
            break
    return lit * lit * (3 - 2 * lit)


@compile_kernel
def cast_shadow(
    field: HandSegments,
    view: CameraView,
    light: LampLight,
    size: float,
    area: tuple[int, int, int, int],
    shadow: LinearPicture,
) -> None:
    """Darken ``shadow`` (height, width, 2: the remaining shares of the lamp's and of the ambient light) below the hand,
    within ``area`` (left, top, right, bottom). The table is at z = 0."""
    columns = (field.shape[1] + SIMD_LANES - 1) // SIMD_LANES * SIMD_LANES
    towards = np.empty((FIELD_ROWS, columns), np.float32)
    out = np.empty(columns, np.float32)
    mm = view.height_mm / view.focal_px
    left, top, right, bottom = area
    for row in range(top, bottom):
        y = (view.centre_y - view.top - (row + 0.5) * view.step_y) * mm
        for column in range(left, right):
            x = (view.left + (column + 0.5) * view.step_x - view.centre_x) * mm
            count = gather_towards_lamp(field, x, y, light, towards)
            if count == 0:
                continue
            cluster = SegmentCluster(towards, count, size, out)
            lit = lamp_share_on_table(cluster, x, y, light)
            low = hand_distance(cluster, x, y, 8.0 * size) / (8 * size)
            high = hand_distance(cluster, x, y, 24.0 * size) / (24 * size)
            around = min(1.0, max(0.0, 0.45 + 0.55 * low), max(0.0, 0.55 + 0.45 * high))
            shadow[row, column, 0] = min(shadow[row, column, 0], lit)
            shadow[row, column, 1] = min(shadow[row, column, 1], around)
