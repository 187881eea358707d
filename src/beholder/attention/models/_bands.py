"""The plane of spatial frequencies of a picture, and its bands: crowns, cut into orientations."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from beholder.vision.scales import Image, resized

Spectrum = NDArray[np.complex64]
Number = TypeVar("Number", np.float32, np.complex64)
Crowns = tuple[tuple[float, float, int], ...]  # from and to, in cycles/deg; orientations

MARGIN = 1.0  # deg of mirrored picture all around, because the Fourier transform is periodic (ours)
SOFT = 0.25  # octaves on either side of a crown's edge in which it fades (ours)
SAMPLES = 2.5  # px a cycle: a little more than the two of Nyquist, since bands fade beyond their edge (ours)


@dataclass(frozen=True)
class Plane:
    """The frequencies of a picture with a mirrored margin, as `scipy.fft.rfft2` lays them out."""

    shape: tuple[int, int]  # px, with the margin
    margin: int  # px
    scale: float  # px/deg

    @classmethod
    def around(cls, shape: tuple[int, ...], scale: float) -> Plane:
        """The plane of a picture of that shape; the margin is no wider than the picture."""
        margin = max(1, min(round(MARGIN * scale), max(shape)))
        return cls((shape[0] + 2 * margin, shape[1] + 2 * margin), margin, scale)

    @property
    def rates(self) -> tuple[Image, Image]:
        """Cycles/deg down (rows, 1) and along (columns,)."""
        down, along = np.fft.fftfreq(self.shape[0])[:, None], np.fft.rfftfreq(self.shape[1])
        return np.asarray(down * self.scale, np.float32), np.asarray(along * self.scale, np.float32)

    @property
    def frequency(self) -> Image:
        """Cycles/deg."""
        return np.hypot(*self.rates)

    @property
    def angle(self) -> Image:
        """Direction of a wave in rad, 0 to the right, counter-clockwise."""
        down, along = self.rates
        return np.arctan2(-down, along)

    def spectrum(self, channel: Image) -> Spectrum:
        """The Fourier transform of a channel with its margin."""
        from scipy.fft import fft

        shown = np.pad(np.asarray(channel, np.float32), self.margin, mode="symmetric")
        return np.asarray(fft(_spectra_of_rows(shown), axis=0, overwrite_x=True), np.complex64)

    def image(self, spectrum: Spectrum, rate: float, *, window: Image | None = None) -> Image:
        """What has this spectrum, with px enough for `rate` cycles/deg and no more than the picture's.

        Under a `window`, its product with the spectrum. The centres of pixels lie evenly between the sides, as those of
        the picture do.
        """
        from scipy.fft import ifft, irfft2

        share = SAMPLES * rate / self.scale
        if share >= 1:
            whole = spectrum.copy() if window is None else spectrum * window
            return _rows_of_spectra(ifft(whole, axis=0, overwrite_x=True), self.shape[1])
        rows, columns = (2 * max(1, round(side * share / 2)) for side in self.shape)
        held = _low(spectrum, rows, columns) * (1 if window is None else _low(window, rows, columns))
        down = _shift(np.fft.fftfreq(rows), rows / self.shape[0])
        along = _shift(np.fft.rfftfreq(columns), columns / self.shape[1])
        gain = rows * columns / (self.shape[0] * self.shape[1])
        return np.asarray(irfft2(held * down[:, None] * along, s=(rows, columns)) * gain, np.float32)

    def cut(self, values: Image) -> Image:
        """A map of the plane at the picture's px, without the margin."""
        m = self.margin
        return resized(values, self.shape)[m:-m, m:-m]


def _low(values: NDArray[Number], rows: int, columns: int) -> NDArray[Number]:
    """What of a spectrum, or of its window, an image of `rows` and `columns` holds: both even."""
    return np.concatenate([values[: rows // 2], values[-rows // 2 :]])[:, : columns // 2 + 1]


def _is_slow(n: int) -> bool:
    """Whether n is even and has a large prime factor: SciPy transforms real rows of it as if they were complex.

    Then it is faster to read them as complex rows of half the length, even numbers real and odd ones imaginary.
    """
    from scipy.fft import next_fast_len

    return n % 2 == 0 and next_fast_len(n, real=True) != n


def _spectra_of_rows(values: Image) -> Spectrum:
    """The spectra of real rows, as by `scipy.fft.rfft`."""
    from scipy.fft import fft, rfft

    n = values.shape[1]
    if not _is_slow(n):
        return np.asarray(rfft(values, axis=1), np.complex64)
    pairs = fft(np.ascontiguousarray(values).view(np.complex64), axis=1)
    round_trip = np.concatenate([pairs, pairs[:, :1]], axis=1)
    turns = 1j * np.exp(-2j * np.pi / n * np.arange(n // 2 + 1))
    found = np.conj(round_trip[:, ::-1]) * ((1 + turns) / 2).astype(np.complex64)
    round_trip *= ((1 - turns) / 2).astype(np.complex64)
    found += round_trip
    return np.asarray(found, np.complex64)


def _rows_of_spectra(spectra: Spectrum, n: int) -> Image:
    """Rows of n real numbers from their spectra, as by `scipy.fft.irfft`; `spectra` are overwritten."""
    from scipy.fft import ifft, irfft

    if not _is_slow(n):
        return np.asarray(irfft(spectra, n, axis=1), np.float32)
    half = n // 2
    spectra[:, [0, half]] = spectra[:, [0, half]].real
    turns = 1j * np.exp(2j * np.pi / n * np.arange(half))
    mirrored = spectra[:, half:0:-1] * ((1 - turns) / 2).conj().astype(np.complex64)
    pairs = np.conj(mirrored, out=mirrored)
    pairs += spectra[:, :half] * ((1 + turns) / 2).astype(np.complex64)
    return np.asarray(ifft(pairs, axis=1, overwrite_x=True), np.complex64).view(np.float32)


def _shift(rates: NDArray[np.floating], share: float) -> NDArray[np.complex64]:
    """The phases that shift waves of `rates` cycles/px by as much as the centre of the first pixel moves outwards where
    only a `share` of the pixels is left: by (1 − share) / 2 of the new ones."""
    return np.asarray(np.exp(1j * np.pi * rates * (1 - share)), np.complex64)


def bands(plane: Plane, crowns: Crowns) -> tuple[tuple[Image, float], ...]:
    """The windows of bands over the plane, and the highest frequency of each; they add up to 1 up to the last crown.

    Bands beyond what the plane holds are left out. The windows of the last picture's shape are kept: some 40 MB.
    """
    return tuple(band for crown in crowns for band in _cut(plane, crown))


@lru_cache(maxsize=4)
def _cut(plane: Plane, crown: tuple[float, float, int]) -> tuple[tuple[Image, float], ...]:
    """A crown's bands."""
    (low, high, orientations), (octave, angle) = crown, _polar(plane)
    ring = _from(octave, low) - _from(octave, high)
    if not (ring > 0).any():
        return ()
    turns = (angle - np.float32(k * np.pi / orientations) for k in range(orientations))
    windows = [ring * _about(turn, orientations) for turn in turns]
    for window in windows:
        window.setflags(write=False)
    return tuple((window, high * 2**SOFT) for window in windows)


@lru_cache(maxsize=1)
def _polar(plane: Plane) -> tuple[Image, Image]:
    """Octaves above 1 cycle/deg, and directions."""
    return np.log2(np.maximum(plane.frequency, 1e-6)), plane.angle


def _from(octave: Image, edge: float) -> Image:
    """0 below an edge and 1 above, with a quarter of an octave on either side to change in."""
    if edge == 0:
        return np.ones_like(octave)
    way = np.clip((octave - float(np.log2(edge))) / (2 * SOFT) + 0.5, 0, 1)
    return np.asarray(np.sin(np.pi / 2 * way) ** 2, np.float32)


def _about(turn: Image, orientations: int) -> Image:
    """cos² of the angle to a band's orientation, stretched so that neighbours add up to 1.

    Turns lie between −3π/2 and π/2, and one by π is none.
    """
    if orientations == 1:
        return np.ones_like(turn)
    away = np.minimum(np.abs(turn), np.abs(turn + np.pi))
    away *= orientations / 2
    np.cos(np.minimum(away, np.pi / 2, out=away), out=away)
    return np.asarray(away * away, np.float32)
