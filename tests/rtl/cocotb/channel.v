// SPDX-License-Identifier: Apache-2.0
//
// One AXI channel from the chip to a judge, looked at and, where a test wants it, spoiled. AXI A3.2.1: what is offered
// stands, and its payload with it, until it is taken. Looked at here because it costs a simulator nothing; `broken`
// stays.
`default_nettype none
module channel #(parameter WIDTH = 1) (
    input  wire             clk,
    input  wire             rst,
    input  wire             withdraws,      // spoiled: an offer that has to wait is withdrawn for a cycle
    input  wire             changes,        // spoiled: the payload of an offer that has to wait changes
    input  wire             chip_valid,
    output wire             chip_ready,
    input  wire [WIDTH-1:0] chip_payload,
    output wire             valid,
    input  wire             ready,
    output wire [WIDTH-1:0] payload,
    output wire             broken,
    output reg  [31:0]      waited          // cycles in which an offer had to
);
    reg             waits;
    reg             was_broken;
    reg [WIDTH-1:0] kept;
    assign valid      = chip_valid && !(withdraws && waits);
    assign chip_ready = ready && valid;
    assign payload    = chip_payload ^ {changes && waits, {(WIDTH-1){1'b0}}};
    assign broken     = was_broken || (waits && !(valid && payload == kept));
    always @(posedge clk) begin
        waits      <= !rst && valid && !ready;
        kept       <= payload;
        was_broken <= !rst && broken;
        waited     <= rst ? 32'd0 : waited + {31'd0, valid && !ready};
    end
endmodule
`default_nettype wire
