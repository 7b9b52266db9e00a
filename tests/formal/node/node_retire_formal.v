// SPDX-License-Identifier: Apache-2.0
//
// The completion queue of a node under any packets and any mover that completes in order (queue of 4): packets
// leave once each, in order, none before the mover has completed it and everything before it; so a FENCE's value
// appears only then. HEAD has moved by exactly the ring words of the packets that left. After a fault nothing leaves
// until clear.
module node_retire_formal (
    input clk,
    input rst,
    input put_valid,
    input [1:0] put_kind,
    input [2:0] put_ring_words,
    input done,
    input done_fails,
    input execute_done,
    input clear_now
);
    localparam [1:0] KIND_MOVER = 2'd1, KIND_EXECUTE = 2'd2, KIND_FENCE = 2'd3;
    reg first = 1'b1;
    reg  [3:0]  number;              // of the next packet put: its word 0 and offset
    reg  [7:0]  completed;           // of the mover, so far; tags begin at 0
    reg         faulty;              // the mover has reported a fault: its completions repeat it
    reg  [7:0]  faulty_tag;
    wire [7:0]  tag, failed_code, probe_opcode;
    wire [31:0] failed_address, head_word, head, fence;
    wire [15:0] head_offset, probe_offset;
    wire        put_ready, empty, execute_at_head, failed, fence_interrupt, packet_leaves, probe_begin, probe_end;
    wire        done_valid = done && completed != tag && !rst;
    wire        fails      = done_fails || faulty;
    wire        clear      = clear_now && !rst;
    wire        put        = put_valid && put_ready && !clear;
    node_retire #(.DEPTH(4)) dut (
        .clk(clk), .rst(rst), .clear(clear), .tail(32'd0),
        .put_valid(put_valid && !clear), .put_ready(put_ready), .put_kind(put_kind), .put_opens_run(1'b0),
        .put_ends_run(1'b0), .put_interrupt(1'b0), .put_ring_words(put_ring_words), .put_offset({12'd0, number}),
        .put_word({28'd0, number}), .put_opcode(8'd0), .empty(empty),
        .tag(tag), .done_valid(done_valid && !clear), .done_tag(completed), .done_fault(fails ? 8'd6 : 8'd0),
        .done_address(32'd0), .execute_at_head(execute_at_head), .execute_done(execute_done && execute_at_head),
        .failed(failed), .failed_code(failed_code), .failed_address(failed_address), .head_offset(head_offset),
        .head_word(head_word), .head(head), .fence(fence), .fence_write(1'b0), .fence_wdata(32'd0),
        .fence_interrupt(fence_interrupt), .packet_leaves(packet_leaves), .probe_begin(probe_begin),
        .probe_end(probe_end), .probe_offset(probe_offset), .probe_opcode(probe_opcode));

    // ------------------------------------------------------------------ by number
    reg  [1:0]  kinds [0:15];
    reg  [2:0]  words [0:15];
    reg  [7:0]  movers [0:15];       // MOVER packets up to and with this one
    reg  [3:0]  left;                // packets that have left
    reg  [31:0] head_due;
    reg  [7:0]  put_movers;
    reg         fence_due;
    reg  [3:0]  fence_number;
    wire [7:0]  good = faulty ? faulty_tag : completed;  // completions without a fault
    always @(posedge clk) begin
        first <= 1'b0;
        if (first) assume (rst);
        if (rst || clear) begin
            {number, left} <= 8'd0;
            completed  <= 8'd0;
            put_movers <= 8'd0;
            faulty     <= 1'b0;
            head_due   <= 32'd0;
            fence_due  <= 1'b0;
        end else begin
            assume (number != 4'd15);
            if (put) begin
                kinds[number]  <= put_kind;
                words[number]  <= put_ring_words;
                movers[number] <= put_movers + {7'd0, put_kind == KIND_MOVER};
                put_movers     <= put_movers + {7'd0, put_kind == KIND_MOVER};
                number         <= number + 4'd1;
            end
            if (done_valid) begin
                completed <= completed + 8'd1;
                if (fails && !faulty) begin
                    faulty     <= 1'b1;
                    faulty_tag <= completed;
                end
            end
            fence_due    <= packet_leaves && kinds[left] == KIND_FENCE;
            fence_number <= left;
            if (packet_leaves) begin
                assert (left != number);
                assert (head_offset == {12'd0, left} && head_word == {28'd0, left});
                assert (movers[left] <= good);
                assert (kinds[left] != KIND_EXECUTE || execute_done);
                left     <= left + 4'd1;
                head_due <= head_due + {29'd0, words[left]};
            end
            assert (head == head_due);
            if (fence_due) assert (fence == {28'd0, fence_number});
            if (failed) assert (faulty && kinds[left] == KIND_MOVER && movers[left] == faulty_tag + 8'd1);
`ifdef REACH
            // A fence has left after a MOVER packet, and a later one has failed.
            assert (!(failed && fence != 32'd0 && left == 4'd2));
`endif
        end
    end
endmodule
