// SPDX-License-Identifier: Apache-2.0
//
// Proof for mover_cutter: the bursts of a piece are exactly its bytes, in order, without gap or overlap; none
// leaves a 256-byte block (so none crosses 4 KiB or has more than 32 beats), of a fine piece none
// a block of 64; each burst leaves less to do, so
// every piece ends; offers stand until taken. By induction: unbounded. Pieces do not wrap at 4 GiB.
`default_nettype none

module mover_cutter_formal (
    input wire        clk,
    input wire        piece_valid,
    input wire [31:0] piece_first,
    input wire [31:0] piece_last,
    input wire        piece_fine,
    input wire        burst_ready
);
    // Signals inside, by Yosys's way of naming them after flattening.
    (* hierconn *) wire [31:8] \cutter.block ;
    (* hierconn *) wire \cutter.block_is_last ;
    (* hierconn *) wire [1:0] \cutter.quarter ;
    reg rst = 1'b1;
    always @(posedge clk) rst <= 1'b0;

    wire        piece_ready, burst_valid, burst_head, burst_tail, busy;
    wire [31:3] burst_address;
    wire [4:0]  burst_beats;
    wire [2:0]  burst_first, burst_last;
    mover_cutter cutter (
        .clk           (clk),
        .rst           (rst),
        .piece_valid   (piece_valid && !rst),
        .piece_ready   (piece_ready),
        .piece_first   (piece_first),
        .piece_last    (piece_last),
        .piece_short   (piece_first[31:8] == piece_last[31:8]),
        .piece_single  (1'b0),
        .piece_fine    (piece_fine),
        .burst_valid   (burst_valid),
        .burst_ready   (burst_ready),
        .burst_address (burst_address),
        .burst_beats   (burst_beats),
        .burst_first   (burst_first),
        .burst_last    (burst_last),
        .burst_head    (burst_head),
        .burst_tail    (burst_tail),
        .busy          (busy)
    );

    wire [31:0] from = {burst_address, burst_first};
    wire [5:0]  end_beat = {1'b0, burst_address[7:3]} + {1'b0, burst_beats};
    wire [31:0] to   = {burst_address[31:8], end_beat[4:0], burst_last};

    // What the piece in work still owes.
    reg         open = 1'b0;
    reg  [31:0] next = 32'd0;
    reg  [31:0] end_ = 32'd0;
    reg         waits = 1'b0;
    reg  [31:0] from_d1 = 32'd0, to_d1 = 32'd0;
    wire        taken = burst_valid && burst_ready && !rst;
    reg         piece_waits = 1'b0;
    reg  [64:0] piece_d1 = 65'd0;
    always @(*) begin
        assume (piece_first <= piece_last);
        assume (!piece_waits || (piece_valid && piece_d1 == {piece_fine, piece_first, piece_last}));
    end
    always @(posedge clk) begin
        piece_waits <= piece_valid && !piece_ready && !rst;
        piece_d1    <= {piece_fine, piece_first, piece_last};
        waits       <= burst_valid && !burst_ready && !rst;
        from_d1     <= from;
        to_d1       <= to;
        if (rst) open <= 1'b0;
        else if (taken) begin
            open <= !burst_tail;
            next <= {to[31:6] + 26'd1, 6'd0}; // to + 1: only a tail ends elsewhere
            if (!open) end_ <= piece_last;
        end
        if (!rst) begin
            assert (busy == open);
            if (open) begin
                assert (next[5:0] == 6'd0 && (piece_fine || next[7:6] == 2'd0));
                assert (\cutter.block  == next[31:8] && piece_last == end_);
                if (piece_fine) assert (\cutter.quarter  == next[7:6]);
                assert (next <= end_);
                assert (\cutter.block_is_last  == (next[31:8] == end_[31:8]));
                assert (piece_waits); // it stays at the ports until its last burst
            end
            if (burst_valid) begin
                assert (from == (open ? next : piece_first));
                assert (from <= to && to <= (open ? end_ : piece_last));
                assert (!end_beat[5]);
                assert (burst_tail == (to == (open ? end_ : piece_last)));
                assert (burst_tail || to[5:0] == 6'h3f && (piece_fine || to[7:6] == 2'b11));
                assert (!piece_fine || from[31:6] == to[31:6]);
            end
            assert (!waits || (burst_valid && from == from_d1 && to == to_d1));
        end
    end
endmodule

`default_nettype wire
