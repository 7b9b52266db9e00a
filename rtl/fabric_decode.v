// SPDX-License-Identifier: Apache-2.0
//
// The slave of an engine address, one-hot. 0 is segment 1, 1 segment 2, 2 system memory (direct or by the aperture), 3
// none. An address past its space's size belongs to none. Combinational.
`default_nettype none

module fabric_decode #(
    parameter SEGMENT1_BYTES = 262144,
    parameter SEGMENT2_BYTES = 2097152,
    parameter APERTURE_PAGES = 1024
) (
    input  wire [31:0] address,
    output wire [3:0]  slave
);
`include "gpu_spec.vh"
    localparam [31:0] SIZE1 = SEGMENT1_BYTES;
    localparam [31:0] SIZE2 = SEGMENT2_BYTES;
    localparam [31:0] SIZE3 = APERTURE_PAGES * 4096;

    wire [31:0] offset = {4'd0, address[27:0]};
    wire [3:0]  space  = address[31:28];
    wire is_segment1 = space == LIMIT_ADDR_SEGMENT1[31:28] && offset < SIZE1;
    wire is_segment2 = space == LIMIT_ADDR_SEGMENT2[31:28] && offset < SIZE2;
    wire is_aperture = space == LIMIT_ADDR_APERTURE[31:28] && offset < SIZE3;
    wire is_system   = space >= LIMIT_ADDR_SYSTEM[31:28];
    wire is_none     = !(is_segment1 || is_segment2 || is_aperture || is_system);
    assign slave = {is_none, is_aperture || is_system, is_segment2, is_segment1};
endmodule

`default_nettype wire
