// SPDX-License-Identifier: Apache-2.0
//
// The ECP5's PLL, for simulation without delays: its clocks are functions of the time that ulx3s_sim.v is told (`now`,
// 30 ticks to the nanosecond), computed from the dividers and phases that a design gives it, with an input of 25 MHz and
// feedback from CLKOP. Everything else is refused when the simulation is built.
`default_nettype none

module EHXPLLL #(
    parameter integer CLKI_DIV      = 1,
    parameter integer CLKFB_DIV     = 1,
    parameter FEEDBK_PATH   = "CLKOP",
    parameter CLKOP_ENABLE  = "ENABLED",  parameter integer CLKOP_DIV  = 8, parameter integer CLKOP_CPHASE  = 0,
    parameter integer CLKOP_FPHASE  = 0,
    parameter CLKOS_ENABLE  = "DISABLED", parameter integer CLKOS_DIV  = 8, parameter integer CLKOS_CPHASE  = 0,
    parameter integer CLKOS_FPHASE  = 0,
    parameter CLKOS2_ENABLE = "DISABLED", parameter integer CLKOS2_DIV = 8, parameter integer CLKOS2_CPHASE = 0,
    parameter integer CLKOS2_FPHASE = 0,
    parameter OUTDIVIDER_MUXA = "DIVA",
    parameter OUTDIVIDER_MUXB = "DIVB",
    parameter OUTDIVIDER_MUXC = "DIVC",
    parameter OUTDIVIDER_MUXD = "DIVD",
    parameter PLLRST_ENA    = "DISABLED",
    parameter INTFB_WAKE    = "DISABLED",
    parameter STDBY_ENABLE  = "DISABLED",
    parameter DPHASE_SOURCE = "DISABLED"
) (
    input  wire CLKI,
    input  wire CLKFB,
    output wire CLKOP,
    output wire CLKOS,
    output wire CLKOS2,
    output wire LOCK,
    input  wire RST,
    input  wire STDBY,
    input  wire PHASESEL0,
    input  wire PHASESEL1,
    input  wire PHASEDIR,
    input  wire PHASESTEP,
    input  wire PHASELOADREG,
    input  wire PLLWAKESYNC,
    input  wire ENCLKOP,
    input  wire ENCLKOS,
    input  wire ENCLKOS2
);
    localparam INPUT = 1200, LOCKED = 10 * INPUT;
    localparam VCO   = INPUT * CLKI_DIV / (CLKFB_DIV * CLKOP_DIV); // 48 ticks are 625 MHz
    generate
        if (VCO * CLKFB_DIV * CLKOP_DIV != INPUT * CLKI_DIV || VCO * (CLKOS_FPHASE - CLKOP_FPHASE) % 8 != 0 ||
            VCO * (CLKOS2_FPHASE - CLKOP_FPHASE) % 8 != 0 || VCO * 800 < 30000 || VCO * 400 > 30000) begin : check_oscillator
            oscillator_outside_400_to_800_MHz_or_between_two_ticks illegal();
        end
        if (FEEDBK_PATH != "CLKOP" || CLKOP_ENABLE != "ENABLED" || OUTDIVIDER_MUXA != "DIVA" ||
            OUTDIVIDER_MUXB != "DIVB" || OUTDIVIDER_MUXC != "DIVC" || OUTDIVIDER_MUXD != "DIVD" ||
            PLLRST_ENA != "DISABLED" || INTFB_WAKE != "DISABLED" || STDBY_ENABLE != "DISABLED" ||
            DPHASE_SOURCE != "DISABLED") begin : check_mode
            pll_in_a_mode_without_model illegal();
        end
    endgenerate

    // The feedback puts CLKOP's edges on the input's; the others' phases count from CLKOP's.
    wire [63:0] now = ulx3s_sim.now;
    wire [31:0] to_op, to_os, to_os2;
    pll_output #(.PERIOD(VCO * CLKOP_DIV), .OFFSET(0)) op (.now(now), .clock(CLKOP), .to_edge(to_op));
    pll_output #(
        .PERIOD(CLKOS_ENABLE == "ENABLED" ? VCO * CLKOS_DIV : 0),
        .OFFSET(VCO * (CLKOS_CPHASE - CLKOP_CPHASE) + VCO * (CLKOS_FPHASE - CLKOP_FPHASE) / 8)
    ) os (.now(now), .clock(CLKOS), .to_edge(to_os));
    pll_output #(
        .PERIOD(CLKOS2_ENABLE == "ENABLED" ? VCO * CLKOS2_DIV : 0),
        .OFFSET(VCO * (CLKOS2_CPHASE - CLKOP_CPHASE) + VCO * (CLKOS2_FPHASE - CLKOP_FPHASE) / 8)
    ) os2 (.now(now), .clock(CLKOS2), .to_edge(to_os2));
    assign LOCK = now >= LOCKED;

    wire [31:0] to_first = to_op < to_os ? to_op : to_os;
    wire [31:0] to_edge  = to_first < to_os2 ? to_first : to_os2; // ulx3s_sim.v asks for it
    wire unused = &{1'b0, CLKI, CLKFB, RST, STDBY, PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG, PLLWAKESYNC,
                    ENCLKOP, ENCLKOS, ENCLKOS2};
endmodule
`default_nettype wire
