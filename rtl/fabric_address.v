// SPDX-License-Identifier: Apache-2.0
//
// A master's addresses on the way to their turns in fabric_read.v and fabric_write.v: which slave, and whether now. A
// master may have outstanding bursts at one slave only.
//
// An address waits in a register, with its decoded slave. It takes a cycle, and a master's addresses come at most every
// other cycle. in_ready depends on that register only.
`default_nettype none

module fabric_address #(
    parameter SEGMENT1_BYTES = 262144,
    parameter SEGMENT2_BYTES = 2097152,
    parameter APERTURE_PAGES = 1024
) (
    input  wire        clk,
    input  wire        rst,

    // From the master.
    input  wire [31:0] in_address,
    input  wire [7:0]  in_length,
    input  wire [2:0]  in_size,
    input  wire        in_valid,
    output wire        in_ready,

    // The master's outstanding bursts: none, as many as there may be, where. Only `taken` adds to them.
    input  wire        is_none,
    input  wire        is_full,
    input  wire [3:0]  at,
    input  wire [3:0]  closed,   // slaves for which nothing may ask now

    // To the turns. wants: one-hot, stays until `taken`, which is combinational from it, or `closed`. place: while
    // wants.
    output wire [31:0] address,
    output wire [7:0]  length,
    output wire [2:0]  size,
    output wire [3:0]  place,
    output wire [3:0]  wants,
    input  wire        taken
);
    wire [3:0] in_place;
    fabric_decode #(
        .SEGMENT1_BYTES (SEGMENT1_BYTES),
        .SEGMENT2_BYTES (SEGMENT2_BYTES),
        .APERTURE_PAGES (APERTURE_PAGES)
    ) decode (
        .address (in_address),
        .slave   (in_place)
    );

    reg        held;
    reg [42:0] burst;
    reg [3:0]  at_place, may;
    wire       enters        = in_valid && !held;
    wire       offered       = enters || (held && !taken);
    wire [3:0] offered_place = enters ? in_place : at_place;
    wire       may_go        = offered && !is_full && (is_none || at == offered_place);
    always @(posedge clk) begin
        if (enters) burst    <= {in_address, in_length, in_size};
        if (enters) at_place <= in_place;
        held <= !rst && offered;
        may  <= offered_place & ~closed & {4{!rst && may_go}};
    end
    assign in_ready = !held;
    assign place    = at_place;
    assign wants    = may;
    assign {address, length, size} = burst;
endmodule

`default_nettype wire
