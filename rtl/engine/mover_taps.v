// SPDX-License-Identifier: Apache-2.0
//
// What a bilinear BLIT_AFFINE reads: two units of a row at a time, each inside one beat.
//
// mover_filter.v keeps the last four beats, one for each evenness of row and place in it. This module tells it what to
// take from which. A kept beat is not read again; only two new ones cost a second cycle. Whether a unit's beat is kept
// is found out when the unit is loaded.
`default_nettype none

module mover_taps (
    input  wire        clk,
    input  wire        rst,            // also: nothing is kept
    input  wire        load,           // the next two units; not while parts of the last two have not been given
    input  wire [31:0] address_0,
    input  wire [31:0] address_1,
    input  wire        row_odd,
    input  wire        left_out,       // they are not read
    input  wire        stands,         // two units are here
    input  wire        goes,           // this part of them has been given
    output wire        is_new,         // it needs a read
    output wire [31:3] beat,           // of this
    output wire        completes,      // it is the last of the two units
    output wire [12:0] tap             // see mover_filter.v
);
    reg  [31:0] at_0, at_1;
    reg         odd, nothing, half;    // half: the first has been taken
    reg         same, has_0, has_1;    // both are in one beat; theirs is kept
    reg  [31:3] kept [0:3];
    reg  [3:0]  has;
    wire [1:0]  slot_0 = {odd, at_0[3]};
    wire [1:0]  slot_1 = {odd, at_1[3]};
    wire        miss_0 = !nothing && !half && !has_0;
    wire        miss_1 = !nothing && (half || !(same || has_1));
    wire        reads_0 = miss_0;      // first, where both are missing
    wire [1:0]  slot_new = reads_0 ? slot_0 : slot_1;
    assign is_new    = miss_0 || miss_1;
    assign beat      = reads_0 ? at_0[31:3] : at_1[31:3];
    assign completes = !(miss_0 && miss_1);
    wire        new_0  = reads_0;
    wire        new_1  = reads_0 ? same : miss_1;
    assign tap = {odd, slot_new[0], at_0[3], at_1[3], at_0[2:0], at_1[2:0], !half, new_0, new_1};
    // Of the units that come: whether their slots hold their beats when they are here.
    wire [1:0]  next_0  = {row_odd, address_0[3]};
    wire [1:0]  next_1  = {row_odd, address_1[3]};
    wire [31:3] kept_0  = kept[next_0];
    wire [31:3] kept_1  = kept[next_1];
    wire        writes  = stands && is_new;
    wire        finds_0 = writes && slot_new == next_0 ? beat == address_0[31:3]
                                                       : has[next_0] && kept_0 == address_0[31:3];
    wire        finds_1 = writes && slot_new == next_1 ? beat == address_1[31:3]
                                                       : has[next_1] && kept_1 == address_1[31:3];
    always @(posedge clk) begin
        if (load) begin
            same    <= address_0[31:3] == address_1[31:3];
            has_0   <= finds_0;
            has_1   <= finds_1;
            at_0    <= address_0;
            at_1    <= address_1;
            odd     <= row_odd;
            nothing <= left_out;
        end
        if (load)      half <= 1'b0;
        else if (goes) half <= 1'b1;
        if (goes && is_new) begin
            kept[slot_new] <= beat;
            has[slot_new]  <= 1'b1;
        end
        if (rst) has <= 4'd0;
    end
endmodule

`default_nettype wire
