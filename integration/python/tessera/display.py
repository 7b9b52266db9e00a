# SPDX-License-Identifier: Apache-2.0
"""The display: modes, flips, the cursor and vertical blanks."""
from __future__ import annotations

from ctypes import byref, c_uint32
from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Sequence, Tuple, Union

from .arguments import named, whole
from .library import Blank, Completion, DisplayState, FlipOptions
from .spec import DISPLAY_MODE, MIX, PLANE, WHEN
from .surface import Allocation, Surface

if TYPE_CHECKING:
    from .device import Device, Ticket


class Blanked(NamedTuple):
    """A vertical blank: the number of the frame that it begins, and the device's cycle."""

    frame: int
    cycle: int


class Shown:
    """A flip under way. Wait for each once. Made by Display.flip and Display.cursor."""

    def __init__(self, gpu: Device, ticket: int) -> None:
        self._gpu, self._ticket = gpu, ticket

    def __repr__(self) -> str:
        return f'Shown({self._ticket})'

    def wait(self) -> Blanked:
        """Wait until it is shown, and return the blank at which it was."""
        completion = Completion()
        self._gpu._call('wait', self._ticket, byref(completion))
        frame, low, high = completion.words[:3]
        return Blanked(frame, high << 32 | low)


class Display:
    """The display of a device. Made by Device.display. It is this program's until it is given to another client."""

    def __init__(self, gpu: Device) -> None:
        self._gpu = gpu

    def __repr__(self) -> str:
        columns, rows = self.size
        return f'Display({columns} x {rows})' if columns else 'Display(off)'

    def _state(self) -> DisplayState:
        state = DisplayState()
        self._gpu._call('query_display', byref(state))
        return state

    @property
    def modes(self) -> List[DISPLAY_MODE]:
        """The modes that can be set. An empty list: the device has no display."""
        modes = self._state().modes
        return [mode for mode in DISPLAY_MODE if modes >> mode & 1]

    @property
    def size(self) -> Tuple[int, int]:
        """Columns and rows of the mode that is set. (0, 0): it is off."""
        state = self._state()
        return state.columns, state.rows

    @property
    def frame(self) -> int:
        """The number of the frame: vertical blanks since the device's reset."""
        return int(self._state().frame)

    def set_mode(self, mode: Union[str, DISPLAY_MODE]) -> None:
        """Set a mode, by name or number: 'VGA', or 'OFF'. Nothing is shown in it yet."""
        self._gpu._call('set_mode', named(DISPLAY_MODE, 'mode', mode))

    def set_palette(self, colours: Sequence[int]) -> None:
        """Set the 256 colours of INDEX8, each 0xRRGGBB."""
        if len(colours) != 256:
            raise ValueError(f'{len(colours)} colours: 256 are needed')
        self._gpu._call('set_palette', (c_uint32 * 256)(*(whole('colour', colour) for colour in colours)))

    def flip(self, surface: Optional[Surface], plane: Union[str, PLANE] = PLANE.PRIMARY,
             when: Union[str, WHEN] = WHEN.NEXT, frame: int = 0, after: Optional[Ticket] = None, x: int = 0,
             y: int = 0, mix: Union[str, MIX] = MIX.OPAQUE, value: int = 0) -> Shown:
        """Show a surface in a plane, or None: nothing. `after`: a submission that has to be drawn before. An overlay
        has its corner at x, y, and covers what is under it as `mix` and `value` say."""
        chosen = named(PLANE, 'plane', plane)
        options = FlipOptions(plane=chosen, when=named(WHEN, 'when', when), frame=whole('frame', frame),
                              x=whole('x', x), y=whole('y', y), mix=named(MIX, 'mix', mix), value=whole('value', value))
        if surface is not None:
            options.allocation = surface._held(self._gpu)
            options.pitch, options.format = surface.pitch, surface.format
            if chosen == PLANE.OVERLAY:
                options.width, options.height = surface.width, surface.height
        if after is not None:
            options.context, options.after = after._context, after._ticket
        ticket = c_uint32()
        self._gpu._call('flip', byref(options), byref(ticket))
        return Shown(self._gpu, ticket.value)

    def cursor(self, image: Optional[Allocation], x: int = 0, y: int = 0) -> Shown:
        """Show a cursor: 64 x 64 pixels of ARGB8888, of which x, y points. None: no cursor."""
        held: Any = None if image is None else image._held(self._gpu)
        ticket = c_uint32()
        self._gpu._call('cursor', held, 0, whole('x', x), whole('y', y), byref(ticket))
        return Shown(self._gpu, ticket.value)

    def move_cursor(self, x: int, y: int) -> None:
        """Set where the cursor points. It may be outside the picture."""
        self._gpu._call('move_cursor', whole('x', x), whole('y', y))

    def wait_blank(self, frame: Optional[int] = None) -> Blanked:
        """Wait for the next vertical blank, or until a frame has begun."""
        blank = Blank()
        when = WHEN.NEXT if frame is None else WHEN.FRAME
        self._gpu._call('wait_vblank', when, 0 if frame is None else whole('frame', frame), byref(blank))
        return Blanked(blank.frame, blank.cycle)
