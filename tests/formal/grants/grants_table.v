// SPDX-License-Identifier: Apache-2.0
//
// The guard's table, all of it, says of any page what grants_page.v says: by induction, under any setting and any
// lookups.
`default_nettype none

module grants_table (
    input wire        clk,
    input wire        look,
    input wire [31:0] address,
    input wire        set_enable,
    input wire [8:0]  set_row,
    input wire        merge,
    input wire [8:0]  merge_row,
    input wire [31:0] merge_mask,
    input wire        merge_bit
);
    (* anyconst *) wire [19:0] page;
    wire       granted, is_guarded, holds, is_known, page_granted, has_row, row_bit, has_looked, is_misused;
    wire [8:0] its_row;
    guard_table dut (
        .clk(clk), .look(look), .address(address), .granted(granted), .set_enable(set_enable), .set_row(set_row),
        .merge(merge), .merge_row(merge_row), .merge_mask(merge_mask), .merge_bit(merge_bit)
    );
    grants_page model (
        .clk(clk), .page(page), .look(look), .address(address), .set_enable(set_enable), .set_row(set_row),
        .merge(merge), .merge_row(merge_row), .merge_mask(merge_mask), .merge_bit(merge_bit),
        .is_guarded(is_guarded), .its_row(its_row), .holds(holds), .is_known(is_known), .granted(page_granted),
        .has_row(has_row), .row_bit(row_bit), .has_looked(has_looked), .is_misused(is_misused)
    );
    (* hierconn *) wire [8:0]  \dut.proof_index ;
    (* hierconn *) wire [31:0] \dut.proof_row ;
    (* hierconn *) wire [31:0] \dut.row ;
    (* hierconn *) wire [4:0]  \dut.page ;
    (* hierconn *) wire        \dut.was_guarded ;
    wire [31:0] table_row = \dut.proof_row , row = \dut.row ;
    reg first = 1'b1;
    always @(posedge clk) first <= 1'b0;
    reg stands = 1'b0, granted_d1;
    always @(posedge clk) {stands, granted_d1} <= {!look && !set_enable, granted};
    always @(*) begin
        assume (\dut.proof_index  == its_row);
        // The model begins as the table does.
        if (first) assume (holds == table_row[page[4:0]] && !has_row && !has_looked);
        assume (!is_misused); // grants_guard.v asserts it
        if (is_known) assert (granted == page_granted);
        if (stands) assert (granted == granted_d1);
        if (is_guarded) begin
            assert (holds == table_row[page[4:0]]);
            assert (!has_row || row_bit == row[page[4:0]]);
        end
        if (has_looked) assert (\dut.was_guarded  == is_guarded && \dut.page  == page[4:0]);
    end
`ifdef REACH
    (* keep *) wire misses = !(is_known && is_guarded && page_granted && seen_refused);
    reg seen_refused = 1'b0;
    always @(posedge clk) if (is_known && is_guarded && !page_granted) seen_refused <= 1'b1;
`endif
endmodule

`default_nettype wire
