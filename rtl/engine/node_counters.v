// SPDX-License-Identifier: Apache-2.0
//
// Counters of one node, free-running 32 bits. Bytes read are counted when a burst's address is taken, with
// all its beats; bytes written by their strobes.
`default_nettype none

module node_counters #(
    parameter DATA_WIDTH = 64
) (
    input  wire                    clk,
    input  wire                    rst,
    // Events and levels, one count per cycle.
    input  wire                    packet,
    input  wire                    busy,
    input  wire                    stall_fetch,
    input  wire                    stall_fence,
    input  wire                    stall_read,
    input  wire                    stall_write,
    input  wire                    stall_drain,
    // Bursts granted.
    input  wire [31:0]             s_araddr,
    input  wire [7:0]              s_arlen,
    input  wire [2:0]              s_arsize,
    input  wire                    s_taken,
    input  wire [31:0]             t_araddr,
    input  wire [7:0]              t_arlen,
    input  wire [2:0]              t_arsize,
    input  wire                    t_taken,
    input  wire [DATA_WIDTH/8-1:0] w_strobes,
    input  wire                    w_is_local,
    input  wire                    w_taken,
    // The counter at a register offset of block NODE; zero elsewhere. Combinational.
    input  wire [7:0]              offset,
    output reg  [31:0]             value
);
`include "gpu_spec.vh"
    // Cycles are registered before they are counted: no count lies on the way that it watches.
    reg        busy_d1, fetch_d1, fence_d1, read_d1, write_d1, drain_d1;
    always @(posedge clk)
        {busy_d1, fetch_d1, fence_d1, read_d1, write_d1, drain_d1} <= rst ? 6'd0
            : {busy, stall_fetch, stall_fence, stall_read, stall_write, stall_drain};
    // Their registers follow each other from PACKETS on, in this order.
    wire [31:0] counted;
    event_counters cycles (
        .clk(clk), .rst(rst), .events({drain_d1, write_d1, read_d1, fence_d1, fetch_d1, busy_d1, packet}),
        .index(offset[4:2]), .value(counted)
    );

    // ------------------------------------------------------------------ bytes
    localparam LANES = DATA_WIDTH / 8, SIZES = $clog2($clog2(LANES) + 1), WIDTH = 9 + $clog2(LANES);
    wire [8:0] s_beats = {1'b0, s_arlen} + 9'd1;
    wire [8:0] t_beats = {1'b0, t_arlen} + 9'd1;
    wire       s_local = s_araddr < LIMIT_ADDR_APERTURE;
    wire       t_local = t_araddr < LIMIT_ADDR_APERTURE;
    reg  [WIDTH-1:0] s_bytes, t_bytes;
    reg  [WIDTH:0]   local_bytes, system_bytes; // of both
    reg  [15:0] w_bytes, ones;
    reg         s_was_local, t_was_local, w_was_local, is_local;
    reg  [LANES-1:0] strobes;
    integer     lane;
    always @(*) begin
        ones = 16'd0;
        for (lane = 0; lane < LANES; lane = lane + 1)
            ones = ones + {15'd0, strobes[lane]};
    end
    reg [31:0] read_local, read_system, write_local, write_system;
    always @(posedge clk) begin
        s_bytes      <= {{(WIDTH-9){1'b0}}, s_beats & {9{s_taken}}} << s_arsize[SIZES-1:0];
        t_bytes      <= {{(WIDTH-9){1'b0}}, t_beats & {9{t_taken}}} << t_arsize[SIZES-1:0];
        strobes      <= w_taken ? w_strobes : {LANES{1'b0}};
        is_local     <= w_is_local;
        w_bytes      <= ones;
        s_was_local  <= s_local;
        t_was_local  <= t_local;
        w_was_local  <= is_local;
        local_bytes  <= {1'b0, s_bytes & {WIDTH{s_was_local}}}  + {1'b0, t_bytes & {WIDTH{t_was_local}}};
        system_bytes <= {1'b0, s_bytes & {WIDTH{!s_was_local}}} + {1'b0, t_bytes & {WIDTH{!t_was_local}}};
        read_local   <= read_local   + {{(31-WIDTH){1'b0}}, local_bytes};
        read_system  <= read_system  + {{(31-WIDTH){1'b0}}, system_bytes};
        write_local  <= write_local  + {16'd0, w_was_local ? w_bytes : 16'd0};
        write_system <= write_system + {16'd0, w_was_local ? 16'd0 : w_bytes};
        if (rst) begin
            s_bytes      <= {WIDTH{1'b0}};
            t_bytes      <= {WIDTH{1'b0}};
            local_bytes  <= {(WIDTH+1){1'b0}};
            system_bytes <= {(WIDTH+1){1'b0}};
            strobes      <= {LANES{1'b0}};
            w_bytes      <= 16'd0;
            read_local   <= 32'd0;
            read_system  <= 32'd0;
            write_local  <= 32'd0;
            write_system <= 32'd0;
        end
    end
    wire unused = &{1'b0, s_arsize, t_arsize, 1'b0};

    always @(*)
        case (offset)
            NODE_PACKETS_OFFSET, NODE_BUSY_CYCLES_OFFSET, NODE_STALL_FETCH_OFFSET, NODE_STALL_FENCE_OFFSET,
            NODE_STALL_READ_OFFSET, NODE_STALL_WRITE_OFFSET, NODE_STALL_DRAIN_OFFSET: value = counted;
            NODE_READ_LOCAL_OFFSET:   value = read_local;
            NODE_READ_SYSTEM_OFFSET:  value = read_system;
            NODE_WRITE_LOCAL_OFFSET:  value = write_local;
            NODE_WRITE_SYSTEM_OFFSET: value = write_system;
            default:                  value = 32'd0;
        endcase
endmodule

`default_nettype wire
