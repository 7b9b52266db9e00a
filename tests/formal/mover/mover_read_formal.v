// SPDX-License-Identifier: Apache-2.0
//
// Proof for mover_read: whatever bursts are offered, whenever the memory accepts addresses and answers, the
// 256-word buffer never overflows though data is never refused: words reserved are exactly the words owed by
// the memory plus the words in the buffer, at most 255. By induction: unbounded. The memory is any that gives the
// beats it owes, in any rhythm; an address offered stays until accepted.
`default_nettype none

module mover_read_formal (
    input wire        clk,
    input wire        burst_valid,
    input wire [31:3] burst_address,
    input wire [4:0]  burst_beats,
    input wire        arready,
    input wire        rvalid,
    input wire        beat_ready
);
    // Signals inside, by Yosys's way of naming them after flattening.
    (* hierconn *) wire \reader.records.valid ;
    (* hierconn *) wire \reader.records.full ;
    (* hierconn *) wire [7:0] \reader.buffer.tail ;
    (* hierconn *) wire [7:0] \reader.buffer.head ;
    (* hierconn *) wire [7:0] \reader.reserved ;
    (* hierconn *) wire [8:0] \reader.expected ;
    (* hierconn *) wire \reader.buffer.out_valid ;
    reg rst = 1'b1;
    always @(posedge clk) rst <= 1'b0;

    wire        burst_ready, arvalid, aruser, beat_valid, idle, has_pending, fault, fault_guard, chunk_arrived;
    wire [31:0] araddr;
    wire [7:0]  arlen;
    wire [8:0]  issued_bytes;
    wire [63:0] beat_data;
    wire [2:0]  beat_shift;
    wire        beat_prime, beat_flush, beat_special, beat_end, beat_error;
    wire [31:3] fault_address;

    // What the memory owes: beats of accepted addresses, burst by burst (a copy of the records' lengths).
    reg  [4:0]  lengths [0:31];
    reg  [4:0]  sent = 5'd0;            // addresses given to the records
    reg  [4:0]  answered = 5'd0;        // bursts answered
    reg  [4:0]  beat = 5'd0;            // beats of the oldest that have come
    wire        answers = rvalid && !rst && \reader.records.valid  && !(has_pending && one_left);
    wire        one_left = (sent - answered) == 5'd1 && !\reader.records.full ;
    wire        rlast = beat == lengths[answered];

    mover_read reader (
        .clk             (clk),
        .rst             (rst),
        .hold            (1'b0),
        .drop            (1'b0),
        .burst_valid     (burst_valid && !rst),
        .burst_ready     (burst_ready),
        .burst_address   (burst_address),
        .burst_beats     (burst_beats),
        .burst_bytes     (9'd8),
        .burst_user      (1'b0),
        .burst_shift     (3'd0),
        .burst_prime     (1'b0),
        .burst_flush     (1'b0),
        .burst_special   (1'b0),
        .burst_end       (1'b0),
        .burst_chunk_end (1'b0),
        .araddr          (araddr),
        .arlen           (arlen),
        .aruser          (aruser),
        .arvalid         (arvalid),
        .arready         (arready),
        .rdata           (64'd0),
        .rresp           (2'd0),
        .rlast           (rlast),
        .rvalid          (answers),
        .beat_valid      (beat_valid),
        .beat_ready      (beat_ready),
        .beat_data       (beat_data),
        .beat_shift      (beat_shift),
        .beat_prime      (beat_prime),
        .beat_flush      (beat_flush),
        .beat_special    (beat_special),
        .beat_end        (beat_end),
        .beat_error      (beat_error),
        .issued_bytes    (issued_bytes),
        .chunk_arrived   (chunk_arrived),
        .has_pending     (has_pending),
        .idle            (idle),
        .fault           (fault),
        .fault_guard     (fault_guard),
        .fault_address   (fault_address)
    );
    always @(*) assume ({1'b0, burst_address[7:3]} + {1'b0, burst_beats} < 6'd32);

    // All words owed, answered or not, as a sum.
    reg  [8:0] owed = 9'd0;
    wire       issue = burst_valid && burst_ready && !rst;
    wire [7:0] buffered = \reader.buffer.tail  - \reader.buffer.head ;
    always @(posedge clk) begin
        if (issue) begin
            lengths[sent] <= burst_beats;
            sent          <= sent + 5'd1;
        end
        if (answers) begin
            beat <= rlast ? 5'd0 : beat + 5'd1;
            if (rlast) answered <= answered + 5'd1;
        end
        owed <= owed + (issue ? {4'd0, burst_beats} + 9'd1 : 9'd0) - {8'd0, answers};
        if (!rst) begin
            // owed >= 1 while something is answered is a fact of the sum over 32 lengths, which induction
            // cannot see: it is the assumption that the memory gives no beat it does not owe.
            assume (!answers || owed != 9'd0);
            assert ({1'b0, \reader.reserved } == owed + {1'b0, buffered});
            assert (owed <= 9'd255);
            assert (\reader.expected  == {1'b0, \reader.reserved });
            assert (\reader.buffer.out_valid  == (buffered != 8'd0));
            assert (!has_pending || ({1'b0, araddr[7:3]} + arlen[5:0] < 6'd32 && arlen[7:5] == 3'd0));
        end
    end
endmodule

`default_nettype wire
