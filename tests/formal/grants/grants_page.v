// SPDX-License-Identifier: Apache-2.0
//
// What guard_table says of one page, whatever it says of others. grants_table.v proves it of the whole table;
// grants_guard.v has it in the table's place.
`default_nettype none

module grants_page (
    input  wire        clk,
    input  wire [19:0] page,       // address[31:12]
    input  wire        look,       // the ports of guard_table.v
    input  wire [31:0] address,
    input  wire        set_enable,
    input  wire [8:0]  set_row,
    input  wire        merge,
    input  wire [8:0]  merge_row,
    input  wire [31:0] merge_mask,
    input  wire        merge_bit,
    output wire        is_guarded, // the page has a bit ...
    output wire [8:0]  its_row,    // ... in this row
    output reg         holds,      // ... and this is it
    output wire        is_known,   // `granted` is said of this page
    output wire        granted,
    output reg         has_row,    // the row register holds the page's row ...
    output reg         row_bit,    // ... and this bit of it
    output reg         has_looked, // the page was looked up last
    // The page's row is written without having been read in the cycle before, or read while it is written.
    output wire        is_misused
);
    wire [3:0] space = page[19:16] - 4'd1;
    assign     is_guarded = space < 4'd3 && page[15:12] == 4'd0;
    assign     its_row    = {space[1:0], page[11:5]};
    wire [3:0] looked_space = address[31:28] - 4'd1;
    wire [8:0] read_row     = set_enable ? set_row : {looked_space[1:0], address[23:17]};
    wire       merges       = merge && merge_row == its_row;
    always @(posedge clk) begin
        if (merges) holds <= merge_mask[page[4:0]] ? merge_bit : row_bit; // has_row
        if (look || set_enable) begin
            has_row <= read_row == its_row;
            row_bit <= holds;
        end
        if (look) has_looked <= address[31:12] == page;
    end
    assign is_misused = is_guarded && merges && (!has_row || ((look || set_enable) && read_row == its_row));
    assign is_known = has_looked && (!is_guarded || has_row);
    assign granted  = is_guarded && row_bit;
endmodule

`default_nettype wire
