// SPDX-License-Identifier: Apache-2.0
//
// The write half of the fabric: three masters, three memories and slave 3. Slave 0 is segment 1, 1 segment 2, 2
// system; 3 swallows what belongs to no memory.
//
// For each slave: a round-robin arbiter, an address register, and queues of masters that order data and answers. Data
// passes only after the memory took its address; addresses run ahead, and bursts follow without a gap. A master may
// have outstanding bursts at one slave only, at most MASTER_BURSTS. A slave's data waits for the master whose turn it
// is. So a master offers an address only when its data follows without waiting for anything else. Addresses wait
// as in fabric_read.v. Data passes a queue of two beats, and answers one of two.
`default_nettype none

module fabric_write #(
    parameter DATA_WIDTH     = 64,
    parameter SEGMENT1_BYTES = 262144,
    parameter SEGMENT2_BYTES = 2097152,
    parameter FIRMWARE_BYTES = 0,  // behind segment FIRMWARE_SEGMENT, for master 2 alone
    parameter FIRMWARE_SEGMENT = 1,
    parameter APERTURE_PAGES = 1024,
    parameter MASTER_BURSTS  = 64 // power of two
) (
    input  wire                      clk,
    input  wire                      rst,

    // Masters; see fabric.v.
    input  wire [3*32-1:0]           w_awaddr,
    input  wire [3*8-1:0]            w_awlen,
    input  wire [3*3-1:0]            w_awsize,
    input  wire [2:0]                w_awvalid,
    output wire [2:0]                w_awready,
    input  wire [3*DATA_WIDTH-1:0]   w_wdata,
    input  wire [3*DATA_WIDTH/8-1:0] w_wstrb,
    input  wire [2:0]                w_wlast,
    input  wire [2:0]                w_wvalid,
    output wire [2:0]                w_wready,
    output wire [3*2-1:0]            w_bresp,
    output wire [2:0]                w_bvalid,
    input  wire [2:0]                w_bready,

    // Memories, AXI4 without ids; full engine addresses. p_addressed: the memory behind this port has taken
    // an address in this cycle (later than p_awready when a lookup lies between).
    output wire [3*32-1:0]           p_awaddr,
    output wire [3*8-1:0]            p_awlen,
    output wire [3*3-1:0]            p_awsize,
    output wire [2:0]                p_awvalid,
    input  wire [2:0]                p_awready,
    input  wire [2:0]                p_addressed,
    output wire [3*DATA_WIDTH-1:0]   p_wdata,
    output wire [3*DATA_WIDTH/8-1:0] p_wstrb,
    output wire [2:0]                p_wlast,
    output wire [2:0]                p_wvalid,
    input  wire [2:0]                p_wready,
    input  wire [3*2-1:0]            p_bresp,
    input  wire [2:0]                p_bvalid,
    output wire [2:0]                p_bready
);
    localparam MASTERS     = 3;
    localparam SLAVES      = 4;
    localparam CORE        = 2;
    localparam LANES       = DATA_WIDTH / 8;
    localparam COUNT_WIDTH = $clog2(MASTER_BURSTS) + 1;
    localparam [COUNT_WIDTH-1:0] WAITING_BURSTS = 2;

    // Matrices, bit MASTERS*slave + master.
    wire [SLAVES*MASTERS-1:0] want;   // this master's address may go to this slave now
    wire [SLAVES*MASTERS-1:0] took;   // it goes in this cycle
    wire [SLAVES*MASTERS-1:0] feeds;  // the slave takes this master's data in this cycle
    wire [SLAVES*MASTERS-1:0] answer; // the slave's answer is for this master

    // The masters' addresses and data, at their turn.
    wire [MASTERS*32-1:0]         t_address;
    wire [MASTERS*8-1:0]          t_length;
    wire [MASTERS*3-1:0]          t_size;
    wire [MASTERS*DATA_WIDTH-1:0] t_wdata;
    wire [MASTERS*LANES-1:0]      t_wstrb;
    wire [MASTERS-1:0]            t_wlast, t_wvalid;
    wire [MASTERS-1:0]            takes_answer; // a slave's

    wire [SLAVES-1:0]   slave_bvalid, slave_bready;
    wire [SLAVES*2-1:0] slave_bresp;
    assign slave_bvalid[2:0] = p_bvalid;
    assign slave_bresp[5:0]  = p_bresp;
    assign slave_bresp[7:6]  = 2'b11; // DECERR
    assign p_bready          = slave_bready[2:0];

    genvar m, s;
    generate
        // -------------------------------------------------------------- masters
        for (m = 0; m < MASTERS; m = m + 1) begin : master
            reg  [3:0]             at;
            reg  [COUNT_WIDTH-1:0] outstanding;
            wire [3:0] place, wants, taken, fed, mine;
            fabric_address #(
                .SEGMENT1_BYTES (SEGMENT1_BYTES + (m == CORE && FIRMWARE_SEGMENT == 1 ? FIRMWARE_BYTES : 0)),
                .SEGMENT2_BYTES (SEGMENT2_BYTES + (m == CORE && FIRMWARE_SEGMENT == 2 ? FIRMWARE_BYTES : 0)),
                .APERTURE_PAGES (APERTURE_PAGES)
            ) addresses (
                .clk        (clk),
                .rst        (rst),
                .in_address (w_awaddr[32*m +: 32]),
                .in_length  (w_awlen[8*m +: 8]),
                .in_size    (w_awsize[3*m +: 3]),
                .in_valid   (w_awvalid[m]),
                .in_ready   (w_awready[m]),
                .is_none    (outstanding == 0),
                .is_full    (outstanding[COUNT_WIDTH-1]),
                .at         (at),
                .closed     (4'b0000),
                .address    (t_address[32*m +: 32]),
                .length     (t_length[8*m +: 8]),
                .size       (t_size[3*m +: 3]),
                .place      (place),
                .wants      (wants),
                .taken      (|taken)
            );
            // Whether two beats wait is told by a register: a node's whole data path hangs on it.
            reg  full;
            wire is_full;
            wire push = w_wvalid[m] && !full;
            assign w_wready[m] = !full;
            always @(posedge clk) full <= !rst && !(|fed) && (full || (push && t_wvalid[m]));
            sync_fifo #(.WIDTH(DATA_WIDTH + LANES + 1), .LOG2_DEPTH(1)) beats (
                .clk       (clk),
                .rst       (rst),
                .push      (push),
                .push_data ({w_wlast[m], w_wstrb[LANES*m +: LANES], w_wdata[DATA_WIDTH*m +: DATA_WIDTH]}),
                .full      (is_full),
                .pop       (|fed),
                .data      ({t_wlast[m], t_wstrb[LANES*m +: LANES], t_wdata[DATA_WIDTH*m +: DATA_WIDTH]}),
                .valid     (t_wvalid[m])
            );
            for (s = 0; s < SLAVES; s = s + 1) begin : route
                assign want[MASTERS*s + m] = wants[s];
                assign taken[s]            = took[MASTERS*s + m];
                assign fed[s]              = feeds[MASTERS*s + m];
                assign mine[s]             = answer[MASTERS*s + m];
            end
            // Answers wait in a queue, so that a slave does not wait for what its master makes of them.
            wire       answers_full;
            wire [1:0] response = ({2{at[0]}} & slave_bresp[1:0]) | ({2{at[1]}} & slave_bresp[3:2])
                                | ({2{at[2]}} & slave_bresp[5:4]) | ({2{at[3]}} & slave_bresp[7:6]);
            sync_fifo #(.WIDTH(2), .LOG2_DEPTH(1)) answers (
                .clk       (clk),
                .rst       (rst),
                .push      ((|mine) && !answers_full),
                .push_data (response),
                .full      (answers_full),
                .pop       (w_bvalid[m] && w_bready[m]),
                .data      (w_bresp[2*m +: 2]),
                .valid     (w_bvalid[m])
            );
            assign takes_answer[m] = !answers_full;
            wire ends = w_bvalid[m] && w_bready[m];
            always @(posedge clk) begin
                if (|taken)                 at          <= place;
                if ((|taken) && !ends)      outstanding <= outstanding + 1'b1;
                else if (ends && !(|taken)) outstanding <= outstanding - 1'b1;
                if (rst) begin
                    at          <= 4'b0000;
                    outstanding <= 0;
                end
            end
`ifdef GPU_ASSERT
            // An answer comes only to a master that waits for it.
            always @(posedge clk) if (!rst) assert (!w_bvalid[m] || outstanding != 0);
            always @(posedge clk) if (!rst) assert (full == is_full);
`else
            wire unused = &{1'b0, is_full, 1'b0};
`endif
        end

        // -------------------------------------------------------------- slaves
        for (s = 0; s < SLAVES; s = s + 1) begin : slave
            wire [MASTERS-1:0] grant;
            reg                held;
            reg  [31:0]        address;
            reg  [7:0]         length;
            reg  [2:0]         size;
            wire               leaves;
            wire               addressed;
            wire               data_ready, data_valid, answer_ready, answer_valid;
            wire [1:0]         data_master, answer_master, granted_master;
            reg                is_crowded;
            wire               accept = (|grant) && answer_ready && !held && !is_crowded;

            arbiter #(.COUNT(MASTERS)) turn (
                .clk     (clk),
                .rst     (rst),
                .request (want[MASTERS*s +: MASTERS]),
                .accept  (accept),
                .grant   (grant)
            );
            assign took[MASTERS*s +: MASTERS] = grant & {MASTERS{accept}};
            assign granted_master = {grant[2], grant[1]};

            always @(posedge clk) begin
                if (accept) begin
                    address <= ({32{grant[0]}} & t_address[31:0]) | ({32{grant[1]}} & t_address[63:32])
                             | ({32{grant[2]}} & t_address[95:64]);
                    length  <= ({8{grant[0]}} & t_length[7:0])    | ({8{grant[1]}} & t_length[15:8])
                             | ({8{grant[2]}} & t_length[23:16]);
                    size    <= ({3{grant[0]}} & t_size[2:0])      | ({3{grant[1]}} & t_size[5:3])
                             | ({3{grant[2]}} & t_size[8:6]);
                end
                if (rst) held <= 1'b0;
                else     held <= accept || (held && !leaves);
            end

            // Bursts whose address the memory has and whose data it does not have yet.
            reg  [COUNT_WIDTH-1:0] open;
            wire data_ends;
            always @(posedge clk)
                if (rst)                          open <= 0;
                else if (addressed && !data_ends) open <= open + 1'b1;
                else if (data_ends && !addressed) open <= open - 1'b1;

            // Data of the oldest burst. A burst leaves this queue before that of the answers, which alone can be full.
            wire [COUNT_WIDTH-1:0] data_level, answer_level;
            fabric_fifo #(.WIDTH(2), .DEPTH(MASTER_BURSTS)) data_order (
                .clk        (clk),
                .rst        (rst),
                .put_valid  (accept),
                .put_ready  (data_ready),
                .put_data   (granted_master),
                .take_valid (data_valid),
                .take_ready (data_ends),
                .take_data  (data_master),
                .level      (data_level)
            );
            wire [MASTERS-1:0] turn_of = {data_master == 2'd2, data_master == 2'd1, data_master == 2'd0};
            wire data_offered = data_valid && open != 0 && |(turn_of & t_wvalid);
            wire data_taken;    // the slave takes a beat
            wire data_last    = |(turn_of & t_wlast);
            assign data_ends  = data_taken && data_last;
            assign feeds[MASTERS*s +: MASTERS] = turn_of & {MASTERS{data_taken}};

            // Answers, in the order of the addresses.
            fabric_fifo #(.WIDTH(2), .DEPTH(MASTER_BURSTS)) answer_order (
                .clk        (clk),
                .rst        (rst),
                .put_valid  (accept),
                .put_ready  (answer_ready),
                .put_data   (granted_master),
                .take_valid (answer_valid),
                .take_ready (slave_bvalid[s] && slave_bready[s]),
                .take_data  (answer_master),
                .level      (answer_level)
            );
            wire [MASTERS-1:0] answer_of = {answer_master == 2'd2, answer_master == 2'd1, answer_master == 2'd0};
            assign answer[MASTERS*s +: MASTERS] = answer_of & {MASTERS{answer_valid && slave_bvalid[s]}};
            assign slave_bready[s] = answer_valid && |(answer_of & takes_answer);
            // What a master waits for is short: no more bursts than these wait for their data.
            always @(posedge clk) is_crowded <= data_level >= WAITING_BURSTS;
            wire levels_unused = &{1'b0, data_ready, answer_level, 1'b0};
`ifdef GPU_ASSERT
            // No answer that nothing waits for, and none before the burst's data.
            always @(posedge clk) if (!rst) assert (!slave_bvalid[s] || answer_valid);
            always @(posedge clk) if (!rst) assert (data_level <= answer_level);
`endif
            if (s < 3) begin : memory
                assign p_awaddr[32*s +: 32] = address;
                assign p_awlen[8*s +: 8]    = length;
                assign p_awsize[3*s +: 3]   = size;
                assign p_awvalid[s]         = held;
                assign leaves               = p_awready[s];
                assign addressed            = p_addressed[s];
                assign p_wdata[DATA_WIDTH*s +: DATA_WIDTH] =
                      ({DATA_WIDTH{turn_of[0]}} & t_wdata[0*DATA_WIDTH +: DATA_WIDTH])
                    | ({DATA_WIDTH{turn_of[1]}} & t_wdata[1*DATA_WIDTH +: DATA_WIDTH])
                    | ({DATA_WIDTH{turn_of[2]}} & t_wdata[2*DATA_WIDTH +: DATA_WIDTH]);
                assign p_wstrb[LANES*s +: LANES] =
                      ({LANES{turn_of[0]}} & t_wstrb[0*LANES +: LANES])
                    | ({LANES{turn_of[1]}} & t_wstrb[1*LANES +: LANES])
                    | ({LANES{turn_of[2]}} & t_wstrb[2*LANES +: LANES]);
                assign p_wlast[s]  = data_last;
                assign p_wvalid[s] = data_offered;
                assign data_taken  = data_offered && p_wready[s];
            end else begin : none
                // One burst at a time: its address, its data, its answer.
                reg waits; // the data is swallowed, the answer is not taken yet
                assign addressed       = held && leaves;
                assign leaves          = open == 0 && !waits;
                assign data_taken      = data_offered && !waits;
                assign slave_bvalid[s] = waits;
                always @(posedge clk)
                    if (rst)                                       waits <= 1'b0;
                    else if (data_ends)                            waits <= 1'b1;
                    else if (slave_bvalid[s] && slave_bready[s])   waits <= 1'b0;
                wire unused = &{1'b0, address, length, size, 1'b0};
            end
        end
    endgenerate
endmodule

`default_nettype wire
