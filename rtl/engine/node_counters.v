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
    reg [31:0] packets, busy_cycles, fetch_cycles, fence_cycles, read_cycles, write_cycles, drain_cycles;
    always @(posedge clk) begin
        packets      <= packets      + {31'd0, packet};
        busy_cycles  <= busy_cycles  + {31'd0, busy_d1};
        fetch_cycles <= fetch_cycles + {31'd0, fetch_d1};
        fence_cycles <= fence_cycles + {31'd0, fence_d1};
        read_cycles  <= read_cycles  + {31'd0, read_d1};
        write_cycles <= write_cycles + {31'd0, write_d1};
        drain_cycles <= drain_cycles + {31'd0, drain_d1};
        if (rst) begin
            packets      <= 32'd0;
            busy_cycles  <= 32'd0;
            fetch_cycles <= 32'd0;
            fence_cycles <= 32'd0;
            read_cycles  <= 32'd0;
            write_cycles <= 32'd0;
            drain_cycles <= 32'd0;
        end
    end

    // ------------------------------------------------------------------ bytes
    wire s_local = s_araddr < LIMIT_ADDR_APERTURE;
    wire t_local = t_araddr < LIMIT_ADDR_APERTURE;
    reg  [15:0] s_bytes, t_bytes, w_bytes, ones;
    reg         s_was_local, t_was_local, w_was_local, is_local;
    reg  [DATA_WIDTH/8-1:0] strobes;
    integer     lane;
    always @(*) begin
        ones = 16'd0;
        for (lane = 0; lane < DATA_WIDTH / 8; lane = lane + 1)
            ones = ones + {15'd0, strobes[lane]};
    end
    reg [31:0] read_local, read_system, write_local, write_system;
    always @(posedge clk) begin
        s_bytes     <= s_taken ? ({8'd0, s_arlen} + 16'd1) << s_arsize : 16'd0;
        t_bytes     <= t_taken ? ({8'd0, t_arlen} + 16'd1) << t_arsize : 16'd0;
        strobes     <= w_taken ? w_strobes : {DATA_WIDTH/8{1'b0}};
        is_local    <= w_is_local;
        w_bytes     <= ones;
        s_was_local <= s_local;
        t_was_local <= t_local;
        w_was_local <= is_local;
        read_local   <= read_local   + {16'd0, s_was_local ? s_bytes : 16'd0} + {16'd0, t_was_local ? t_bytes : 16'd0};
        read_system  <= read_system  + {16'd0, s_was_local ? 16'd0 : s_bytes} + {16'd0, t_was_local ? 16'd0 : t_bytes};
        write_local  <= write_local  + {16'd0, w_was_local ? w_bytes : 16'd0};
        write_system <= write_system + {16'd0, w_was_local ? 16'd0 : w_bytes};
        if (rst) begin
            s_bytes      <= 16'd0;
            t_bytes      <= 16'd0;
            strobes      <= {DATA_WIDTH/8{1'b0}};
            w_bytes      <= 16'd0;
            read_local   <= 32'd0;
            read_system  <= 32'd0;
            write_local  <= 32'd0;
            write_system <= 32'd0;
        end
    end

    always @(*)
        case (offset)
            NODE_PACKETS_OFFSET:      value = packets;
            NODE_BUSY_CYCLES_OFFSET:  value = busy_cycles;
            NODE_STALL_FETCH_OFFSET:  value = fetch_cycles;
            NODE_STALL_FENCE_OFFSET:  value = fence_cycles;
            NODE_STALL_READ_OFFSET:   value = read_cycles;
            NODE_STALL_WRITE_OFFSET:  value = write_cycles;
            NODE_STALL_DRAIN_OFFSET:  value = drain_cycles;
            NODE_READ_LOCAL_OFFSET:   value = read_local;
            NODE_READ_SYSTEM_OFFSET:  value = read_system;
            NODE_WRITE_LOCAL_OFFSET:  value = write_local;
            NODE_WRITE_SYSTEM_OFFSET: value = write_system;
            default:                  value = 32'd0;
        endcase
endmodule

`default_nettype wire
