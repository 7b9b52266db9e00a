// SPDX-License-Identifier: Apache-2.0
//
// One direction of the aperture under any bursts, any bus and any table writes. One arbitrary burst to one
// arbitrary page is marked when accepted: it comes out once, with the frame its entry had then (or DUMMY if
// never written), the offset untouched, and the coherent bit of a mapped entry.
module aperture_path_formal (
    input clk,
    input rst,
    input [31:0] address,
    input in_valid,
    input mark,
    input out_ready,
    input write_enable,
    input [3:0] write_index,
    input [22:0] write_entry,
    input peek_enable,
    input [3:0] peek_index
);
    (* anyconst *) wire [3:0]  page;
    (* anyconst *) wire [19:0] dummy;
    reg first = 1'b1;
    reg marked;                        // a burst has been marked
    wire is_aperture = address[31:28] == 4'd3;
    wire marks = mark && !marked && is_aperture && address[15:12] == page && in_valid && in_ready;
    wire in_ready, out_coherent, out_valid, looked_up, dummy_hit;
    wire [31:0] out_address;
    wire [1:0]  out_attributes;
    wire [22:0] peek_entry;
    aperture_path #(.PAGES(16), .ATTRIBUTES_WIDTH(2)) dut (
        .clk(clk), .rst(rst), .hold(1'b0), .dummy(dummy), .in_address(address), .in_attributes({1'b0, marks}),
        .in_valid(in_valid), .in_ready(in_ready), .out_address(out_address), .out_attributes(out_attributes),
        .out_coherent(out_coherent), .out_valid(out_valid), .out_ready(out_ready), .write_enable(write_enable),
        .write_index(write_index), .write_entry(write_entry), .peek_enable(peek_enable), .peek_index(peek_index),
        .peek_entry(peek_entry), .looked_up(looked_up), .dummy_hit(dummy_hit));

    reg [22:0] entry;                  // of the page, once written
    reg        is_known, came;
    reg [31:0] expected;
    reg        expected_coherent;
    always @(posedge clk) begin
        first <= 1'b0;
        if (first) assume (rst);
        assume (address[31] || (is_aperture && address[27:16] == 12'd0));
        if (rst) begin
            is_known <= 1'b0;
            marked   <= 1'b0;
            came     <= 1'b0;
        end else begin
            if (write_enable && write_index == page) begin
                is_known <= 1'b1;
                entry    <= write_entry;
            end
            if (marks && is_known) begin
                marked            <= 1'b1;
                expected          <= {entry[20] ? entry[19:0] : dummy, address[11:0]};
                expected_coherent <= entry[20] && entry[21] && entry[22];
            end
            if (marks) assume (is_known);  // the sweep after reset writes every entry
            if (out_valid && out_attributes[0]) begin
                assert (marked && !came);
                assert (out_address == expected && out_coherent == expected_coherent);
                if (out_ready) came <= 1'b1;
            end
`ifdef REACH
            assert (!(came));
`endif
        end
    end
endmodule
