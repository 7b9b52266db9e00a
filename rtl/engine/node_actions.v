// SPDX-License-Identifier: Apache-2.0
//
// Actions that run alone, when everything before them is done.
//
// GUARD sets the guard. MAP and UNMAP write the aperture. TOUCH reads. PALETTE loads the palette. A list packet walks
// a page list. node_execute.v starts an action and waits for its result.
`default_nettype none

module node_actions #(
    parameter NODE    = 0
) (
    input  wire         clk,
    input  wire         rst,

    // `start` is a pulse, not while one is under way; the packet stands until `done`, a pulse, which has the outcome
    // with it. `cancel` is a pulse and ends what is under way without an outcome; not while `is_firm`.
    input  wire         start,
    input  wire         cancel,
    input  wire [127:0] packet,
    output wire         acting,         // since start
    output wire         is_firm,        // what is under way has to end first; only a walk is cut short
    output wire         done,
    output wire         has_failed,
    output wire [7:0]   failed_code,
    output wire [31:0]  failed_address,

    // The guard; see guard.v.
    output wire         guard_valid,
    input  wire         guard_ready,
    output wire [13:0]  guard_first,
    output wire [13:0]  guard_count,
    output wire         guard_read,
    output wire         guard_write,

    // Aperture table; see node.v.
    output wire         map_valid,
    input  wire         map_ready,
    output wire [15:0]  map_first,
    output wire [15:0]  map_count,
    output wire [19:0]  map_frame,
    output wire         map_increment,
    output wire         map_mapped,
    output wire         map_coherent,

    // The palette; see mover.v.
    output wire         palette_start,
    input  wire         palette_done,
    input  wire [7:0]   palette_fault,
    input  wire [31:0]  palette_failed_address,

    // TOUCH reads; see node_touch.v.
    output wire         touch_start,
    output wire [31:0]  touch_address,
    output wire [3:0]   touch_bytes,
    input  wire         touch_done,
    input  wire         touch_has_failed,
    input  wire [31:0]  touch_failed_address,

    // The walk of the packet's page list, and the entries of the aperture that it writes; see node_list.v.
    output wire         list_start,
    input  wire         list_done,
    input  wire         list_has_failed,
    input  wire [7:0]   list_failed_code,
    input  wire [31:0]  list_failed_address,
    input  wire         list_map_valid,
    input  wire [15:0]  list_map_first,
    input  wire [19:0]  list_map_frame
);
`include "gpu_spec.vh"
`include "config.vh"
    wire [31:0] word0    = packet[31:0];
    wire [31:0] word1    = packet[63:32];
    wire [31:0] word2    = packet[95:64];
    wire [31:0] word3    = packet[127:96];
    wire [7:0]  opcode   = word0[7:0];
    wire        is_guard = opcode == PKT_GUARD;
    wire        is_map   = opcode == PKT_MAP || opcode == PKT_UNMAP;
    wire        is_touch = opcode == PKT_TOUCH;
    wire        is_palette = PALETTE != 0 && NODE == 0 && opcode == PKT_PALETTE;
    wire        is_list  = NODE == 1 && (opcode == PKT_COPY_LIST || opcode == PKT_MAP_LIST);

    reg         under_way;
    wire        ends = under_way && ((is_guard && guard_ready) || (is_map && map_ready) || touch_done
                                     || (is_list && list_done) || palette_done);
    wire        fails = is_list ? list_has_failed : is_palette ? palette_fault != FAULT_NONE[7:0]
                      : is_touch && touch_has_failed;
    wire [7:0]  code  = is_list ? list_failed_code : is_palette ? palette_fault : FAULT_READ_BUS[7:0];
    wire [31:0] where = is_list ? list_failed_address : is_palette ? palette_failed_address : touch_failed_address;
    always @(posedge clk)
        if (rst || cancel || ends) under_way <= 1'b0;
        else if (start)            under_way <= 1'b1;
    // The end is told a cycle later, from registers.
    reg         ended;
    reg  [40:0] findings;
    always @(posedge clk) begin
        ended    <= ends && !cancel && !rst;
        findings <= {fails, code, where};
    end
    assign acting = under_way || ended;
    assign done   = ended;
    assign {has_failed, failed_code, failed_address} = findings;
    assign is_firm = acting && !is_list;

    assign guard_valid   = under_way && is_guard;
    assign guard_first   = word1[13:0];
    assign guard_count   = word2[13:0];
    assign guard_read    = word0[PKT_GUARD_READ_LSB];
    assign guard_write   = word0[PKT_GUARD_WRITE_LSB];
    assign map_valid     = (under_way && is_map) || list_map_valid;
    assign map_first     = is_list ? list_map_first : word1[15:0];
    assign map_count     = is_list ? 16'd1 : word2[15:0];
    assign map_frame     = is_list ? list_map_frame : word3[19:0];
    assign map_increment = opcode == PKT_MAP;
    assign map_mapped    = opcode == PKT_MAP || is_list;
    assign map_coherent  = map_mapped && word0[PKT_MAP_COHERENT_LSB]; // in the same bit of both
    assign touch_start   = start && is_touch;
    assign touch_address = word1;
    assign touch_bytes   = word0[PKT_TOUCH_BYTES_LSB +: PKT_TOUCH_BYTES_WIDTH];
    assign list_start    = start && is_list;
    assign palette_start = start && is_palette;

    wire unused = &{1'b0, word2, word3, 1'b0};

`ifdef GPU_ASSERT
    // One at a time, and only what is carried out here: a TOUCH that writes is the mover's.
    always @(posedge clk) if (!rst) begin
        assert (!(start && acting));
        assert (!(cancel && (start || is_firm)));
        assert (!start || is_guard || is_map || is_list || is_palette || (is_touch && !word0[PKT_TOUCH_WRITE_LSB]));
        assert (!touch_done || (under_way && is_touch));
        assert (!palette_done || (under_way && is_palette));
    end
`endif
endmodule

`default_nettype wire
