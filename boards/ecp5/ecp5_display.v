// SPDX-License-Identifier: Apache-2.0
//
// The four serialisers of a DVI display on an ECP5: symbols of ten bits leave their pins two bits in each cycle of
// clk_shift, which is five times clk_pixel and from the same PLL. The symbols change with clk_pixel, every fifth cycle
// of clk_shift; `load` says so two or three cycles later, and each serialiser's own copy, which stands beside it, one
// later still, when they are steady.
`default_nettype none

module ecp5_display (
    input  wire       clk_pixel,
    input  wire       rst_pixel,
    input  wire       clk_shift,
    input  wire [9:0] tmds_red,        // in clk_pixel, bit 0 first
    input  wire [9:0] tmds_green,
    input  wire [9:0] tmds_blue,
    output wire [3:0] pins             // differential pairs' positive: blue, green, red, clock
);
    reg        turn, load;
    (* keep *) reg load_red, load_green, load_blue, load_clock;
    reg  [1:0] turn_seen;
    reg  [9:0] red, green, blue, clock;
    always @(posedge clk_pixel) turn <= rst_pixel ? 1'b0 : !turn;
    always @(posedge clk_shift) begin
        turn_seen <= {turn_seen[0], turn};
        load      <= turn_seen[1] != turn_seen[0];
        {load_red, load_green, load_blue, load_clock} <= {4{load}};
        red       <= load_red ? tmds_red : {2'b00, red[9:2]};
        green     <= load_green ? tmds_green : {2'b00, green[9:2]};
        blue      <= load_blue ? tmds_blue : {2'b00, blue[9:2]};
        clock     <= load_clock ? 10'b0000011111 : {2'b00, clock[9:2]};
    end
    ODDRX1F blue_pin  (.SCLK(clk_shift), .RST(1'b0), .D0(blue[0]),  .D1(blue[1]),  .Q(pins[0]));
    ODDRX1F green_pin (.SCLK(clk_shift), .RST(1'b0), .D0(green[0]), .D1(green[1]), .Q(pins[1]));
    ODDRX1F red_pin   (.SCLK(clk_shift), .RST(1'b0), .D0(red[0]),   .D1(red[1]),   .Q(pins[2]));
    ODDRX1F clk_pin   (.SCLK(clk_shift), .RST(1'b0), .D0(clock[0]), .D1(clock[1]), .Q(pins[3]));
endmodule
`default_nettype wire
