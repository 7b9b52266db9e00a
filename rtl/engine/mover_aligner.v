// SPDX-License-Identifier: Apache-2.0
//
// Moves a row's bytes from the lanes where they were read to the lanes where they are written.
//
// A rotate, and a carry register for lanes that belong to the next beat. One beat in and one beat out a cycle.
//
//   shift   (wanted lane - given lane) mod 8 of the row's first byte
//   prime   the row's first beat, if all its bytes belong to the next beat: taken without a beat out
//   flush   the row's last beat, if some of its bytes belong to one more beat: that beat follows
//
// The flush of a row and the prime of the next share a cycle. A row costs max(beats in, beats out) cycles.
`default_nettype none

module mover_aligner #(
    parameter LANE  = 8, // bits per lane: a byte and its companions
    parameter ERROR = 1  // bits of error flags
) (
    input  wire              clk,
    input  wire              rst,          // also: forget what the carry is for
    input  wire              still,        // with rst: out_data stands while it lasts

    // Beats as given. in_ready depends on out_ready.
    input  wire              in_valid,
    output wire              in_ready,
    input  wire [8*LANE-1:0] in_data,
    input  wire [2:0]        in_shift,
    input  wire              in_prime,
    input  wire              in_flush,
    input  wire [ERROR-1:0]  in_error,
    // The rotated input is a pattern: given out for ever, nothing is taken, the carry stays.
    input  wire              pattern,

    // Beats as wanted; lanes outside the row hold anything. out_valid does not depend on out_ready.
    output wire              out_valid,
    input  wire              out_ready,
    output wire [8*LANE-1:0] out_data,
    output wire [ERROR-1:0]  out_error     // of any byte in the beat; after one, of any later beat, too
);
    reg  [8*LANE-1:0] carry;
    reg  [ERROR-1:0]  carry_error;
    reg               flushing;            // the carry alone is the next beat

    // ------------------------------------------------------------------ rotate
    wire [8*LANE-1:0] by_1, by_2, rotated;
    mover_turn #(.WIDTH(8*LANE), .BY(1*LANE)) turn_1 (
        .turn (in_shift[0]),
        .in   (in_data),
        .out  (by_1)
    );
    mover_turn #(.WIDTH(8*LANE), .BY(2*LANE)) turn_2 (
        .turn (in_shift[1]),
        .in   (by_1),
        .out  (by_2)
    );
    mover_turn #(.WIDTH(8*LANE), .BY(4*LANE)) turn_4 (
        .turn (in_shift[2]),
        .in   (by_2),
        .out  (rotated)
    );

    // ------------------------------------------------------------------ merge
    wire [7:0] fresh = still ? 8'h00 : pattern ? 8'hff : flushing ? 8'h00 : 8'hff << in_shift;
    genvar lane;
    generate for (lane = 0; lane < 8; lane = lane + 1) begin : merge
        assign out_data[lane*LANE +: LANE] = fresh[lane] ? rotated[lane*LANE +: LANE] : carry[lane*LANE +: LANE];
    end endgenerate

    assign out_valid = flushing || pattern || (in_valid && !in_prime);
    assign out_error = pattern ? {ERROR{1'b0}} : carry_error | (flushing ? {ERROR{1'b0}} : in_error);
    assign in_ready  = !pattern && (in_prime ? !flushing || out_ready : !flushing && out_ready);

    wire take = in_valid && in_ready;
    wire give = out_valid && out_ready && !pattern;

    always @(posedge clk)
        if (take && !rst) carry <= rotated;

    always @(posedge clk)
        if (rst) begin
            flushing    <= 1'b0;
            carry_error <= {ERROR{1'b0}};
        end else if (take) begin
            flushing    <= in_flush;
            carry_error <= in_error;
        end else if (give) begin
            flushing    <= 1'b0;
            carry_error <= {ERROR{1'b0}};
        end

`ifdef GPU_ASSERT
    always @(posedge clk)
        // A beat that only primes the carry always has bytes left for a beat of its own row.
        if (!rst && !pattern && in_valid && in_prime) assert (in_shift != 3'd0);
`endif
endmodule

`default_nettype wire
