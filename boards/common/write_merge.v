// SPDX-License-Identifier: Apache-2.0
//
// Writes of some bytes of a beat to a memory without byte masks: between the FIFOs and sdram_controller.v, for boards
// whose SDRAM has its mask pins tied low. A partial request, one beat, is asked for as a read first; what that brings
// is kept, and the beat is written whole, its bytes without a strobe from there. Everything else passes as it is, in
// order, in the same cycle. What a partial beat costs is the read's way through the controller: of a stream of nothing
// else a beat takes 12 cycles instead of 2.
//
// Requests are executed in order, so when the read's data is here, every earlier write's data has left the FIFO, and
// the beat at its head is the partial one's.
`default_nettype none

module write_merge (
    input  wire        clk,
    input  wire        rst,

    // From the FIFOs, and to the one of data read.
    input  wire        request_valid,
    input  wire        request_partial,
    input  wire [26:0] request,        // as sdram_controller.v has it
    output wire        request_pop,
    input  wire [71:0] write_beat,     // {strobe, data}
    input  wire        write_pop,      // the controller's
    output wire        read_push,
    output wire [63:0] read_data,

    // The controller.
    output wire        to_valid,
    output wire [26:0] to_request,
    input  wire        to_pop,
    output wire [71:0] to_beat,
    input  wire        from_push,
    input  wire [63:0] from_data
);
    reg        asked, here;            // the partial beat's read is under way; its bytes are kept
    reg        merging;                // until its write has taken them
    reg [63:0] kept;
    reg [6:0]  under_way;              // beats asked for that have not come, ours included
    reg        is_next;                // one is: ours, while asked
    wire       reads = !to_request[26];
    wire [6:0] asks  = to_pop && reads ? {3'd0, to_request[3:0]} + 7'd1 : 7'd0;
    wire [6:0] left  = under_way + asks - {6'd0, from_push};
    wire       ours  = asked && is_next && from_push;

    assign to_valid    = request_valid && !asked;
    assign to_request  = {request[26] && !(request_partial && !here), request[25:0]};
    assign request_pop = to_pop && (!request_partial || here);
    assign read_push   = from_push && !(asked && is_next);
    assign read_data   = from_data;
    assign to_beat[71:64] = write_beat[71:64];
    genvar b;
    generate
        for (b = 0; b < 64; b = b + 1) begin : bit_of
            assign to_beat[b] = merging && !write_beat[64 + b/8] ? kept[b] : write_beat[b];
        end
    endgenerate

    always @(posedge clk)
        if (rst) begin
            asked     <= 1'b0;
            here      <= 1'b0;
            merging   <= 1'b0;
            under_way <= 7'd0;
            is_next   <= 1'b0;
        end else begin
            under_way <= left;
            is_next   <= left == 7'd1;
            if (ours) {asked, here} <= 2'b01;
            else if (to_pop && request_partial) {asked, here} <= {!here, 1'b0};
            merging   <= ours || merging && !write_pop;
        end
    always @(posedge clk) if (ours) kept <= from_data;

`ifdef GPU_ASSERT
    always @(posedge clk)
        if (!rst) begin
            assert (!(request_valid && request_partial && (!request[26] || request[3:0] != 4'd0)));
            assert (!(from_push && under_way == 7'd0));
            assert (!(write_pop && !merging && write_beat[71:64] != 8'hff)); // no byte is written that should not be
        end
`endif
endmodule
`default_nettype wire
