// SPDX-License-Identifier: Apache-2.0
//
// The read half of the fabric: four masters and the display, three memories and slave 3. Slave 0 is segment 1, 1
// segment 2, 2 system; 3 answers what belongs to no memory.
//
// Each slave has a round-robin arbiter, an address register, and a queue of the masters in burst order. The queue leads
// the data back, through a register of each master. A master may have outstanding bursts at one slave only, at most
// MASTER_BURSTS. Addresses wait in a register before their turn (fabric_address.v). A slave takes one when its own
// register is empty. While the display is urgent and has bursts at a slave or for it, no others go there. Else its
// bursts go after all others. While it reserves, in segments 1 and 2 only the core's go beside its own.
`default_nettype none

module fabric_read #(
    parameter DATA_WIDTH     = 64,
    parameter SEGMENT1_BYTES = 262144,
    parameter SEGMENT2_BYTES = 2097152,
    parameter FIRMWARE_BYTES = 0,  // behind segment FIRMWARE_SEGMENT, for master 3 alone
    parameter FIRMWARE_SEGMENT = 1,
    parameter APERTURE_PAGES = 1024,
    parameter MASTER_BURSTS  = 64 // power of two
) (
    input  wire                    clk,
    input  wire                    rst,

    // Masters; see fabric.v.
    input  wire [4*32-1:0]         r_araddr,
    input  wire [4*8-1:0]          r_arlen,
    input  wire [4*3-1:0]          r_arsize,
    input  wire [3:0]              r_arvalid,
    output wire [3:0]              r_arready,
    output wire [4*DATA_WIDTH-1:0] r_rdata,
    output wire [4*2-1:0]          r_rresp,
    output wire [3:0]              r_rlast,
    output wire [3:0]              r_rvalid,

    // The display's, in segments 1 and 2.
    input  wire [31:0]             d_araddr,
    input  wire [7:0]              d_arlen,
    input  wire                    d_arvalid,
    output wire                    d_arready,
    output wire [DATA_WIDTH-1:0]   d_rdata,
    output wire                    d_rvalid,
    input  wire                    d_urgent,
    input  wire                    d_reserve,
    output wire [3:0]              d_alone,    // slaves that are the display's alone now

    // Memories, AXI4 without ids; full engine addresses; data is always taken at once.
    output wire [3*32-1:0]         p_araddr,
    output wire [3*8-1:0]          p_arlen,
    output wire [3*3-1:0]          p_arsize,
    output wire [2:0]              p_arvalid,
    input  wire [2:0]              p_arready,
    input  wire [3*DATA_WIDTH-1:0] p_rdata,
    input  wire [3*2-1:0]          p_rresp,
    input  wire [2:0]              p_rlast,
    input  wire [2:0]              p_rvalid
);
    localparam MASTERS     = 5;      // the display is the last
    localparam TURNS       = 4;      // of those that take turns
    localparam SLAVES      = 4;
    localparam CORE        = 3;
    localparam QUEUE       = MASTER_BURSTS;
    localparam COUNT_WIDTH = $clog2(MASTER_BURSTS) + 1;

    // want[5*slave + master]: this master's address may go to this slave now.
    wire [SLAVES*MASTERS-1:0] want;
    // took[5*slave + master]: it goes in this cycle.
    wire [SLAVES*MASTERS-1:0] took;
    // owner[5*slave + master]: the slave's data belongs to this master.
    wire [SLAVES*MASTERS-1:0] owner;

    // The masters' addresses, at their turn.
    wire [MASTERS*32-1:0] t_address;
    wire [MASTERS*8-1:0]  t_length;
    wire [MASTERS*3-1:0]  t_size;

    // Slaves that are the display's alone, or its and the core's.
    wire [SLAVES-1:0] d_reserved;

    // All masters' ports.
    localparam WHOLE = $clog2(DATA_WIDTH / 8);
    wire [2:0] whole_beats = WHOLE[2:0];
    wire [MASTERS*32-1:0] i_araddr = {d_araddr, r_araddr};
    wire [MASTERS*8-1:0]  i_arlen  = {d_arlen, r_arlen};
    wire [MASTERS*3-1:0]  i_arsize = {whole_beats, r_arsize};
    wire [MASTERS-1:0]    i_arvalid = {d_arvalid, r_arvalid};
    wire [MASTERS-1:0]    i_arready, i_rlast, i_rvalid;
    wire [MASTERS*DATA_WIDTH-1:0] i_rdata;
    wire [MASTERS*2-1:0]  i_rresp;
    assign {d_arready, r_arready} = i_arready;
    assign {d_rdata, r_rdata}     = i_rdata;
    assign {d_rvalid, r_rvalid}   = i_rvalid;
    assign r_rresp = i_rresp[7:0];
    assign r_rlast = i_rlast[3:0];
    wire   of_display_unused = &{1'b0, i_rresp[9:8], i_rlast[4]};

    // Answers of all slaves, slave 3 included.
    wire [SLAVES-1:0]   slave_rvalid, slave_rlast;
    wire [SLAVES*2-1:0] slave_rresp;
    assign slave_rvalid[2:0] = p_rvalid;
    assign slave_rlast[2:0]  = p_rlast;
    assign slave_rresp[5:0]  = p_rresp;
    assign slave_rresp[7:6]  = 2'b11; // DECERR

    genvar m, s;
    generate
        // -------------------------------------------------------------- masters
        for (m = 0; m < MASTERS; m = m + 1) begin : master
            reg  [3:0]             at;          // where this master's outstanding bursts are
            reg  [COUNT_WIDTH-1:0] outstanding;
            wire [3:0] place, wants, mine, taken;
            fabric_address #(
                .SEGMENT1_BYTES (SEGMENT1_BYTES + (m == CORE && FIRMWARE_SEGMENT == 1 ? FIRMWARE_BYTES : 0)),
                .SEGMENT2_BYTES (SEGMENT2_BYTES + (m == CORE && FIRMWARE_SEGMENT == 2 ? FIRMWARE_BYTES : 0)),
                .APERTURE_PAGES (APERTURE_PAGES)
            ) addresses (
                .clk        (clk),
                .rst        (rst),
                .in_address (i_araddr[32*m +: 32]),
                .in_length  (i_arlen[8*m +: 8]),
                .in_size    (i_arsize[3*m +: 3]),
                .in_valid   (i_arvalid[m]),
                .in_ready   (i_arready[m]),
                .is_none    (outstanding == 0),
                .is_full    (outstanding[COUNT_WIDTH-1]),
                .at         (at),
                .closed     (m == TURNS ? 4'b0000 : m == CORE ? d_alone : d_reserved),
                .address    (t_address[32*m +: 32]),
                .length     (t_length[8*m +: 8]),
                .size       (t_size[3*m +: 3]),
                .place      (place),
                .wants      (wants),
                .taken      (|taken)
            );
            for (s = 0; s < SLAVES; s = s + 1) begin : route
                assign want[MASTERS*s + m] = wants[s];
                assign taken[s]            = took[MASTERS*s + m];
                assign mine[s]             = at[s] && owner[MASTERS*s + m] && slave_rvalid[s];
            end
            // Data stands in a register before it goes to its master: their RAMs are far apart.
            reg                   valid, last;
            reg  [1:0]            response;
            reg  [DATA_WIDTH-1:0] data;
            assign i_rvalid[m]       = valid;
            assign i_rlast[m]        = last;
            assign i_rresp[2*m +: 2] = response;
            assign i_rdata[DATA_WIDTH*m +: DATA_WIDTH] = data;
            wire        comes     = |mine;
            wire        last_comes = |(at & slave_rlast);
            wire [1:0]  response_comes = ({2{at[0]}} & slave_rresp[1:0]) | ({2{at[1]}} & slave_rresp[3:2])
                                     | ({2{at[2]}} & slave_rresp[5:4]) | ({2{at[3]}} & slave_rresp[7:6]);
            wire [DATA_WIDTH-1:0] data_comes =
                  ({DATA_WIDTH{at[0]}} & p_rdata[0*DATA_WIDTH +: DATA_WIDTH])
                | ({DATA_WIDTH{at[1]}} & p_rdata[1*DATA_WIDTH +: DATA_WIDTH])
                | ({DATA_WIDTH{at[2]}} & p_rdata[2*DATA_WIDTH +: DATA_WIDTH]);
            always @(posedge clk) begin
                valid <= comes && !rst;
                {last, response, data} <= {last_comes, response_comes, data_comes};
            end
            wire ends = comes && last_comes;
            always @(posedge clk) begin
                if (|taken)               at          <= place;
                if ((|taken) && !ends)    outstanding <= outstanding + 1'b1;
                else if (ends && !(|taken)) outstanding <= outstanding - 1'b1;
                if (rst) begin
                    at          <= 4'b0000;
                    outstanding <= 0;
                end
            end
`ifdef GPU_ASSERT
            // Data comes only to a master that waits for it; an outstanding burst is at exactly one slave.
            always @(posedge clk) if (!rst) begin
                assert (!comes || outstanding != 0);
                assert (outstanding == 0 || (at & (at - 4'd1)) == 4'd0);
            end
`endif
        end

        // -------------------------------------------------------------- slaves
        for (s = 0; s < SLAVES; s = s + 1) begin : slave
            wire [MASTERS-1:0] grant;
            reg                held;    // the address register is full
            reg  [31:0]        address;
            reg  [7:0]         length;
            reg  [2:0]         size;
            wire               leaves;  // ... and empties in this cycle
            wire               queue_ready, queue_valid;
            wire [2:0]         queue_master, granted_master;
            wire [MASTERS-1:0] asks = want[MASTERS*s +: MASTERS];
            wire               accept = (|asks) && queue_ready && !held;

            // That the display is urgent, and has bursts here, are registers.
            reg                leads, alone, reserved;
            wire [TURNS-1:0]   turn_grant;
            wire               first = asks[TURNS] && leads;
            always @(posedge clk) begin
                leads    <= d_urgent && !rst;
                reserved <= d_reserve && !rst && s < 2;
                alone    <= d_urgent && !rst && (asks[TURNS] || master[TURNS].at[s] && master[TURNS].outstanding != 0);
            end
            assign d_alone[s]    = alone;
            assign d_reserved[s] = alone || reserved;
            arbiter #(.COUNT(TURNS)) turn (
                .clk     (clk),
                .rst     (rst),
                .request (asks[TURNS-1:0]),
                .accept  (accept && !first),
                .grant   (turn_grant)
            );
            assign grant[TURNS-1:0] = turn_grant & {TURNS{!first}};
            assign grant[TURNS]     = asks[TURNS] && (leads || asks[TURNS-1:0] == {TURNS{1'b0}});
            assign took[MASTERS*s +: MASTERS] = grant & {MASTERS{accept}};
            assign granted_master = {grant[4], grant[3] | grant[2], grant[3] | grant[1]};

            always @(posedge clk) begin
                if (accept) begin
                    address <= ({32{grant[0]}} & t_address[31:0])  | ({32{grant[1]}} & t_address[63:32])
                             | ({32{grant[2]}} & t_address[95:64]) | ({32{grant[3]}} & t_address[127:96])
                             | ({32{grant[4]}} & t_address[159:128]);
                    length  <= ({8{grant[0]}} & t_length[7:0])     | ({8{grant[1]}} & t_length[15:8])
                             | ({8{grant[2]}} & t_length[23:16])   | ({8{grant[3]}} & t_length[31:24])
                             | ({8{grant[4]}} & t_length[39:32]);
                    size    <= ({3{grant[0]}} & t_size[2:0])       | ({3{grant[1]}} & t_size[5:3])
                             | ({3{grant[2]}} & t_size[8:6])       | ({3{grant[3]}} & t_size[11:9])
                             | ({3{grant[4]}} & t_size[14:12]);
                end
                if (rst) held <= 1'b0;
                else     held <= accept || (held && !leaves);
            end

            // Masters of the bursts whose data is still to come, oldest first.
            wire ends = slave_rvalid[s] && slave_rlast[s];
            wire [COUNT_WIDTH-1:0] queue_level;
            fabric_fifo #(.WIDTH(3), .DEPTH(QUEUE)) order (
                .clk        (clk),
                .rst        (rst),
                .put_valid  (accept),
                .put_ready  (queue_ready),
                .put_data   (granted_master),
                .take_valid (queue_valid),
                .take_ready (ends),
                .take_data  (queue_master),
                .level      (queue_level)
            );
            for (m = 0; m < MASTERS; m = m + 1) begin : give
                localparam [2:0] INDEX = m;
                assign owner[MASTERS*s + m] = queue_valid && queue_master == INDEX;
            end
            wire level_unused = &{1'b0, queue_level, 1'b0};
`ifdef GPU_ASSERT
            // No data that was not asked for; an urgent display sees no other go first.
            always @(posedge clk) if (!rst && leads) assert (!asks[TURNS] || took[MASTERS*s +: TURNS] == 4'd0);
            always @(posedge clk) if (!rst) assert (!slave_rvalid[s] || queue_valid);
`endif
            if (s < 3) begin : memory
                assign p_araddr[32*s +: 32] = address;
                assign p_arlen[8*s +: 8]    = length;
                assign p_arsize[3*s +: 3]   = size;
                assign p_arvalid[s]         = held;
                assign leaves               = p_arready[s];
            end else begin : none
                // Answers the burst in the address register itself: length + 1 beats of DECERR.
                reg [7:0] beat;
                assign slave_rvalid[s] = held;
                assign slave_rlast[s]  = beat == length;
                assign leaves          = slave_rlast[s];
                always @(posedge clk)
                    if (rst || !held || leaves) beat <= 8'd0;
                    else                        beat <= beat + 8'd1;
                wire unused = &{1'b0, address, size, 1'b0};
            end
        end
    endgenerate
endmodule

`default_nettype wire
