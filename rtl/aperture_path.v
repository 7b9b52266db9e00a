// SPDX-License-Identifier: Apache-2.0
//
// One direction of the aperture, reads or writes.
//
// In: burst addresses. Out: bus addresses, in order, one a cycle, two cycles later. Each direction has its own copy of
// the page table, so that both look up in the same cycle. Results wait in a short queue, so a stalled bus does not
// stall the table.
`default_nettype none

module aperture_path #(
    parameter PAGES            = 1024, // power of two
    parameter ATTRIBUTES_WIDTH = 11    // carried along untouched
) (
    input  wire                        clk,
    input  wire                        rst,
    input  wire                        hold,           // accept nothing
    input  wire [19:0]                 dummy,          // page behind entries never written

    // Engine addresses of the aperture (below PAGES) or of system memory.
    input  wire [31:0]                 in_address,
    input  wire [ATTRIBUTES_WIDTH-1:0] in_attributes,
    input  wire                        in_valid,
    output wire                        in_ready,       // not from in_valid

    // Bus addresses; stable until taken.
    output wire [31:0]                 out_address,
    output wire [ATTRIBUTES_WIDTH-1:0] out_attributes,
    output wire                        out_coherent,
    output wire                        out_valid,
    input  wire                        out_ready,

    // Table write port.
    input  wire                        write_enable,
    input  wire [$clog2(PAGES)-1:0]    write_index,
    input  wire [22:0]                 write_entry,    // APERTURE.ENTRY

    // A look from outside: in a cycle with peek_enable nothing is accepted, and the entry follows one later.
    input  wire                        peek_enable,
    input  wire [$clog2(PAGES)-1:0]    peek_index,
    output wire [22:0]                 peek_entry,

    // Pulses for the counters.
    output wire                        looked_up,
    output wire                        dummy_hit
);
`include "gpu_spec.vh"
    localparam INDEX_WIDTH = $clog2(PAGES);
    localparam OUT_WIDTH   = 32 + 1 + ATTRIBUTES_WIDTH;
    localparam QUEUE       = 4;

    // ------------------------------------------------------------------ first cycle: the table
    reg [22:0] table_entry [0:PAGES-1];
    reg [22:0] entry;
    reg                        looking;
    reg [31:0]                 address;
    reg [ATTRIBUTES_WIDTH-1:0] attributes;
    wire                       take;
    wire [INDEX_WIDTH-1:0]     index = peek_enable ? peek_index : in_address[12 +: INDEX_WIDTH];
    always @(posedge clk) begin
        if (write_enable) table_entry[write_index] <= write_entry;
        entry <= table_entry[index];
    end
    always @(posedge clk) begin
        looking    <= take && !rst;
        address    <= in_address;
        attributes <= in_attributes;
    end
    assign peek_entry = entry;

    // ------------------------------------------------------------------ second cycle: the bus address
    wire is_system  = address >= LIMIT_ADDR_SYSTEM;
    wire is_valid   = entry[APERTURE_ENTRY_VALID_LSB];
    wire is_mapped  = is_valid && entry[APERTURE_ENTRY_MAPPED_LSB];
    wire [19:0] frame   = is_valid ? entry[APERTURE_ENTRY_FRAME_LSB +: APERTURE_ENTRY_FRAME_WIDTH] : dummy;
    wire [31:0] target  = is_system ? address - LIMIT_ADDR_SYSTEM : {frame, address[11:0]};
    wire coherent       = !is_system && is_mapped && entry[APERTURE_ENTRY_COHERENT_LSB];
    assign looked_up    = looking && !is_system;
    assign dummy_hit    = looked_up && !is_mapped;

    // ------------------------------------------------------------------ out
    wire [$clog2(QUEUE):0] level;
    wire                   queue_ready;
    fabric_fifo #(.WIDTH(OUT_WIDTH), .DEPTH(QUEUE)) queue (
        .clk        (clk),
        .rst        (rst),
        .put_valid  (looking),
        .put_ready  (queue_ready),
        .put_data   ({coherent, attributes, target}),
        .take_valid (out_valid),
        .take_ready (out_ready),
        .take_data  ({out_coherent, out_attributes, out_address}),
        .level      (level)
    );
    // Room for what is being looked up and one more.
    assign in_ready = !hold && !peek_enable && level < QUEUE - 1;
    assign take     = in_valid && in_ready;

    wire unused = &{1'b0, queue_ready, 1'b0};

`ifdef GPU_ASSERT
    // Addresses of other spaces, or past the table, never come here. The queue has room for every lookup.
    always @(posedge clk) if (!rst) begin
        assert (!take || in_address >= LIMIT_ADDR_SYSTEM
            || (in_address[31:28] == LIMIT_ADDR_APERTURE[31:28] && {16'd0, in_address[27:12]} < PAGES));
        assert (!looking || queue_ready);
    end
`endif
endmodule

`default_nettype wire
