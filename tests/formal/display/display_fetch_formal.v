// SPDX-License-Identifier: Apache-2.0
//
// The display's fetch before a memory that takes addresses and answers beats when it likes, in order and never more
// than were asked for: its queue never overflows, what it reserves is right, a burst stays inside its segment and its
// block of 128 bytes, an address stays until it is taken, and when it is idle nothing is on its way.
module display_fetch_formal (
    input clk,
    input rst,
    input start, input in_segment2, input [24:0] from, input [6:0] beats, input drop,
    input pop,
    input arready, input answer
);
    reg         first = 1'b1;
    reg  [5:0]  coming;                // beats taken by the memory and not answered
    wire        ready, idle, valid, r_arvalid;
    wire [63:0] beat;
    wire [31:0] r_araddr;
    wire [7:0]  r_arlen;
    wire        r_rvalid = answer && coming != 6'd0;
    display_fetch dut (
        .clk(clk), .rst(rst), .start(start && ready), .in_segment2(in_segment2), .from(from), .beats(beats),
        .ready(ready), .drop(drop), .idle(idle), .valid(valid), .beat(beat), .pop(pop && valid && !drop),
        .r_araddr(r_araddr), .r_arlen(r_arlen), .r_arvalid(r_arvalid), .r_arready(arready), .r_rdata(64'd0),
        .r_rvalid(r_rvalid)
    );
    wire        taken = r_arvalid && arready;
    reg         waited;
    reg  [31:0] address_was;
    reg  [7:0]  length_was;
    always @(posedge clk) begin
        first <= 1'b0;
        if (first) assume (rst);
        if (start) assume (beats != 7'd0 && beats <= 7'd65);
        if (rst) coming <= 6'd0;
        else     coming <= coming + (taken ? r_arlen[5:0] + 6'd1 : 6'd0) - {5'd0, r_rvalid};
        waited <= !rst && r_arvalid && !arready;
        {address_was, length_was} <= {r_araddr, r_arlen};
        if (!rst && !first) begin
            assert (!r_arvalid || {1'b0, r_araddr[6:3]} + r_arlen[4:0] < 6'd16);
            assert (r_araddr[31:30] == 2'b00 && r_araddr[29] != r_araddr[28]);
            if (waited) assert (r_arvalid && r_araddr == address_was && r_arlen == length_was);
            if (idle) assert (coming == 6'd0 && !valid && !r_arvalid);
        end
`ifdef REACH
        // Dropped with a beat queued and another on its way.
        if (!rst && !first) assert (!(drop && valid && coming != 6'd0));
`endif
    end
endmodule
