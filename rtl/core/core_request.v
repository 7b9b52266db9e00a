// SPDX-License-Identifier: Apache-2.0
//
// The data port's request of a load or store in execute. It has the address, and says whether the access is aligned
// and allowed, and when it is made.
//
// STAGE: address, protection's answer and request are registered, between the addition and the bus.
`default_nettype none

module core_request #(
    parameter STAGE = 0
) (
    input  wire        clk,
    input  wire        rst,

    // The instruction in execute. It keeps its operands until it leaves (`fire`).
    input  wire        is_memory,       // it is a load or store
    input  wire        has_operands,    // they are there, and nothing is ahead of it
    input  wire        may,             // nothing else keeps it from asking: no exception but its own, no interrupt
    input  wire        go,              // it asks in this cycle; not looked at with STAGE
    input  wire        fire,
    input  wire [31:0] base,
    input  wire [31:0] immediate,
    input  wire [31:0] sum,             // of both, by the ALU
    input  wire        misaligns,       // what core_align says of `reached`

    // Protection is asked about `reached`; with STAGE it answers a cycle later, when `address` is what it was.
    output wire [31:0] reached,
    input  wire        denied,

    // The address holds while `checked`. A request that has `begun` is not withdrawn.
    output wire [31:0] address,
    output wire        checked,
    output wire        misaligned,
    output wire        begun,
    output wire        d_req,
    input  wire        d_gnt
);
    generate
        if (STAGE != 0) begin : staged
            reg        asks, was_checked, was_misaligned;
            reg [31:0] was_reached;
            // An adder of its own need not wait for the choice of the ALU's second operand.
            assign reached = base + immediate;
            always @(posedge clk) begin
                was_checked    <= !rst && has_operands && is_memory && !fire;
                was_reached    <= reached;
                was_misaligned <= misaligns;
                asks           <= !rst && (asks ? d_req && !d_gnt
                                                : has_operands && is_memory && !fire && !misaligns && may);
            end
            assign {address, checked, misaligned, begun} = {was_reached, was_checked, was_misaligned, asks};
            assign d_req = !rst && asks && !denied;
            wire unused = &{1'b0, sum, go};
        end else begin : at_once
            reg held;
            always @(posedge clk) held <= d_req && !d_gnt;
            assign reached = sum;
            assign {address, checked, misaligned, begun} = {reached, 1'b1, misaligns, held};
            assign d_req = !rst && go;
            wire unused = &{1'b0, has_operands, is_memory, may, fire, base, immediate, denied};
        end
    endgenerate
endmodule

`default_nettype wire
