# SPDX-License-Identifier: Apache-2.0
"""The pins of the chip's display as LiteX's video stream."""
from migen import Cat, If, Module, Signal
from litex.soc.cores.video import video_data_layout
from litex.soc.interconnect import stream


class VideoPins(Module):
    """`source` has a pixel in each cycle, without a pause: what takes it keeps `ready` at 1, as the PHYs of
    litex.soc.cores.video do. `first` and `last` stay 0.

    The chip's syncs have the polarity of the mode, and are at rest while pixels are visible. In the stream, as in
    LiteX's own, they are high while they last; so they are from the first visible pixel of a mode on."""

    def __init__(self):
        self.hsync, self.vsync, self.visible, self.colour = Signal(), Signal(), Signal(), Signal(24)
        self.source = source = stream.Endpoint(video_data_layout)
        rest = Signal(2)
        self.sync += If(self.visible, rest.eq(Cat(self.hsync, self.vsync)))
        self.comb += [source.valid.eq(1), source.de.eq(self.visible),
                      Cat(source.hsync, source.vsync).eq(Cat(self.hsync, self.vsync) ^ rest),
                      Cat(source.b, source.g, source.r).eq(self.colour)]
