// SPDX-License-Identifier: Apache-2.0
//
// When a part of the chip may do without its clock. `stirs` says that something in it moves or is asked of it in this
// cycle; what is on its way between registers when that ends gets SETTLE more edges. After them the part's registers
// hold what every further edge would write again, so the edges can be left out until it stirs: whoever drives its clock
// looks at `awake` before an edge. Nothing that leaves the part changes (tests/chip/system/sleep.sh).
`default_nettype none

module sleep #(
    parameter SETTLE = 7 // edges, 1..7: more than the longest way through registers that only pass something on
) (
    input  wire clk,     // never left out
    input  wire stirs,
    output wire awake    // combinational from stirs: the edge that ends this cycle is needed
);
    reg [2:0] left = SETTLE;
    always @(posedge clk)
        if (stirs)             left <= SETTLE;
        else if (left != 3'd0) left <= left - 3'd1;
    assign awake = stirs || left != 3'd0;
endmodule
`default_nettype wire
