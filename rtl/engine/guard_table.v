// SPDX-License-Identifier: Apache-2.0
//
// One permission bit for each guarded page: 3 spaces of 4096 (2^PAGES_LOG2) pages. A row has 32 pages; one block RAM.
// The answer to a lookup is there in the next cycle, until the next lookup.
`default_nettype none

module guard_table #(
    parameter PAGES_LOG2 = 12 // pages per space; smaller only for proofs
) (
    input  wire        clk,

    // Look up the page of an engine address. Outside segment 1, segment 2, the aperture, or past 4096
    // pages of them: not granted.
    input  wire        look,
    input  wire [31:0] address,
    output wire        granted,

    // Setting (guard.v): read a row with set_enable, and in the next cycle, with merge, write merge_bit
    // to those pages of it that are in merge_mask. Not together with lookups.
    input  wire        set_enable,
    input  wire [PAGES_LOG2-4:0] set_row,
    input  wire        merge,
    input  wire [PAGES_LOG2-4:0] merge_row,
    input  wire [31:0] merge_mask,
    input  wire        merge_bit
);
`include "gpu_spec.vh"
    (* no_rw_check *) // a row is never looked up while it is being set
    reg [31:0] rows [0:(1<<(PAGES_LOG2-3))-1];
    reg [31:0] row;

    wire [3:0] space      = address[31:28] - LIMIT_ADDR_SEGMENT1[31:28]; // 0, 1, 2
    wire       is_guarded = space < 4'd3 && address[27:12+PAGES_LOG2] == 0;
    wire [PAGES_LOG2-4:0] read_row = set_enable ? set_row : {space[1:0], address[11+PAGES_LOG2:17]};
    always @(posedge clk) begin
        if (merge) rows[merge_row] <= (row & ~merge_mask) | (merge_mask & {32{merge_bit}});
        if (look || set_enable) row <= rows[read_row];
    end

    reg [4:0] page;
    reg       was_guarded;
    always @(posedge clk)
        if (look) begin
            page        <= address[16:12];
            was_guarded <= is_guarded;
        end
    assign granted = was_guarded && row[page];

    wire unused = &{1'b0, address[11:0], 1'b0};

`ifdef GPU_PROOF
    // For tests/formal/grants/grants_table.v: any one row as it stands.
    (* anyconst *) wire [PAGES_LOG2-4:0] proof_index;
    (* keep *)     wire [31:0]           proof_row = rows[proof_index];
`endif
endmodule

`default_nettype wire
