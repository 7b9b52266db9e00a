// SPDX-License-Identifier: Apache-2.0
//
// The write half of the fabric under any masters and memories (single-beat bursts, short queues). One arbitrary
// burst of one arbitrary master is marked, in its address and in its data; memories answer the marked address with
// SLVERR. A memory gets data only for an address it has taken, each burst's own, in order; the marked answer comes back
// to that master, to no other, in its place among that master's bursts; a burst for no memory is answered
// with DECERR and its data reaches none.
module fabric_write_formal (
    input clk,
    input rst,
    input [11:0] place,       // top nibble of each master's address
    input [2:0] awvalid,
    input [2:0] wvalid,
    input mark,
    input [2:0] p_awready,
    input [2:0] p_wready,
    input [2:0] answer
);
    (* anyconst *) wire [1:0] chosen;   // the marked burst's master
    reg first = 1'b1;
    reg marked;

    wire [95:0] w_awaddr;
    wire [23:0] w_wdata;
    wire [2:0]  w_awready, w_wready, w_bvalid, w_wvalid;
    wire [5:0]  w_bresp;
    wire [95:0] p_awaddr;
    wire [2:0]  p_awvalid, p_wvalid, p_wlast, p_bvalid, p_bready, p_wstrb;
    wire [23:0] p_awlen, p_wdata;
    wire [8:0]  p_awsize;
    wire [5:0]  p_bresp;
    reg  [2:0]  due [0:2];        // beats of addresses taken and not given yet
    reg  [2:0]  mark_ahead;       // beats of the chosen master before the marked one
    wire        mark_taken;
    genvar m, s;
    generate
        for (m = 0; m < 3; m = m + 1) begin : master
            assign w_awaddr[32*m +: 32] = {place[4*m +: 4], 23'd0, chosen == m && mark && !marked, 4'd0};
            // A master gives data of addresses taken before.
            assign w_wvalid[m]          = wvalid[m] && due[m] != 3'd0;
            assign w_wdata[8*m +: 8]    = {7'd0, chosen == m && marked && mark_ahead == 3'd0 && !given};
        end
    endgenerate
    fabric_write #(.DATA_WIDTH(8), .SEGMENT1_BYTES(4096), .SEGMENT2_BYTES(4096), .APERTURE_PAGES(16),
        .MASTER_BURSTS(4)) dut (
        .clk(clk), .rst(rst), .w_awaddr(w_awaddr), .w_awlen(24'd0), .w_awsize(9'd0), .w_awvalid(awvalid),
        .w_awready(w_awready), .w_wdata(w_wdata), .w_wstrb(3'b111), .w_wlast(3'b111), .w_wvalid(w_wvalid),
        .w_wready(w_wready), .w_bresp(w_bresp), .w_bvalid(w_bvalid), .w_bready(3'b111),
        .p_awaddr(p_awaddr), .p_awlen(p_awlen), .p_awsize(p_awsize), .p_awvalid(p_awvalid), .p_awready(p_awready),
        .p_addressed(p_awvalid & p_awready), .p_wdata(p_wdata), .p_wstrb(p_wstrb), .p_wlast(p_wlast),
        .p_wvalid(p_wvalid), .p_wready(p_wready), .p_bresp(p_bresp), .p_bvalid(p_bvalid), .p_bready(p_bready));

    // ------------------------------------------------------------------ memories
    generate
        for (s = 0; s < 3; s = s + 1) begin : memory
            reg  [7:0] marks;           // of the addresses without data, oldest lowest
            reg  [7:0] full;            // of the bursts without answer
            reg  [3:0] empty_count, full_count;
            wire taken = p_awvalid[s] && p_awready[s];
            wire beat  = p_wvalid[s] && p_wready[s];
            assign p_bvalid[s]       = answer[s] && full_count != 4'd0;
            assign p_bresp[2*s +: 2] = {full[0], 1'b0};
            wire [7:0] marks_left = beat ? marks >> 1 : marks;
            wire [3:0] empty_left = empty_count - {3'd0, beat};
            wire       answers    = p_bvalid[s] && p_bready[s];
            wire [7:0] full_rest  = answers ? full >> 1 : full;
            wire [3:0] full_left  = full_count - {3'd0, answers};
            reg        waits;
            always @(posedge clk) begin
                if (rst) begin
                    empty_count <= 4'd0;
                    full_count  <= 4'd0;
                    waits       <= 1'b0;
                end else begin
                    empty_count <= empty_left + {3'd0, taken};
                    full_count  <= full_left + {3'd0, beat};
                    waits       <= p_bvalid[s] && !p_bready[s];
                    assume (!waits || answer[s]);
                    assume (empty_count < 4'd7 && full_count < 4'd7);
                    // Data only for an address taken before, and its own.
                    if (p_wvalid[s]) begin
                        assert (empty_count != 4'd0);
                        assert (p_wdata[8*s] == marks[0] && p_wlast[s]);
                    end
                end
                marks <= taken ? (marks_left & ~(8'd1 << empty_left)) | ({7'd0, p_awaddr[32*s + 4]} << empty_left)
                               : marks_left;
                full  <= beat ? (full_rest & ~(8'd1 << full_left)) | ({7'd0, marks[0]} << full_left) : full_rest;
            end
        end
    endgenerate

    // ------------------------------------------------------------------ masters
    reg        given, came, to_none;
    reg  [2:0] ahead;             // answers of the chosen master before the marked one
    reg  [2:0] waiting [0:2];     // bursts without answer
    wire [2:0] waiting_chosen = waiting[chosen], due_chosen = due[chosen];
    wire       gives = w_wvalid[chosen] && w_wready[chosen];
    wire [2:0] aw_waits = awvalid & ~w_awready;
    reg  [2:0] aw_waited, w_waited;
    reg  [11:0] place_waited;
    assign mark_taken = mark && !marked && awvalid[chosen] && w_awready[chosen];
    integer i;
    always @(posedge clk) begin
        first <= 1'b0;
        if (first) assume (rst);
        assume (chosen != 2'd3);
        aw_waited    <= rst ? 3'd0 : aw_waits;
        w_waited     <= rst ? 3'd0 : w_wvalid & ~w_wready;
        place_waited <= place;
        for (i = 0; i < 3; i = i + 1) begin
            // What masters offer stands.
            assume (!aw_waited[i] || (awvalid[i] && place[4*i +: 4] == place_waited[4*i +: 4]));
            assume (!w_waited[i] || wvalid[i]);
            if (rst) begin
                waiting[i] <= 3'd0;
                due[i]     <= 3'd0;
            end else begin
                waiting[i] <= waiting[i] + {2'd0, awvalid[i] && w_awready[i]} - {2'd0, w_bvalid[i]};
                due[i]     <= due[i] + {2'd0, awvalid[i] && w_awready[i]} - {2'd0, w_wvalid[i] && w_wready[i]};
            end
            if (!rst && w_bvalid[i]) begin
                assert (waiting[i] > due[i]);   // no answer before the data
                if (w_bresp[2*i +: 2] == 2'b10) assert (i == chosen && given && !came && ahead == 3'd0 && !to_none);
                if (i == chosen && marked && !came && ahead == 3'd0)
                    assert (w_bresp[2*i +: 2] == (to_none ? 2'b11 : 2'b10));
            end
        end
        if (rst) begin
            marked <= 1'b0;
            given  <= 1'b0;
            came   <= 1'b0;
        end else begin
            if (mark_taken) begin
                marked     <= 1'b1;
                to_none    <= !(place[4*chosen +: 4] == 4'd1 || place[4*chosen +: 4] == 4'd2
                                || place[4*chosen +: 4] == 4'd3 || place[4*chosen + 3]);
                ahead      <= waiting_chosen - {2'd0, w_bvalid[chosen]};
                mark_ahead <= due_chosen - {2'd0, gives};
            end else begin
                if (marked && !came && w_bvalid[chosen]) begin
                    if (ahead == 3'd0) came <= 1'b1;
                    ahead <= ahead - 3'd1;
                end
                if (marked && !given && gives) begin
                    if (mark_ahead == 3'd0) given <= 1'b1;
                    mark_ahead <= mark_ahead - 3'd1;
                end
            end
`ifdef REACH
            assert (!(w_bvalid[chosen] && given && !came && ahead == 3'd0 && !to_none)); // the marked answer
`endif
        end
    end
endmodule
