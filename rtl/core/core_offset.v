// SPDX-License-Identifier: Apache-2.0
//
// What fetch must know to follow an instruction: whether it is a branch, JAL or AUIPC, and its immediate.
//
// It reads the fetched bits in parallel to core_expand.v. The reason: the path to the next fetch address is the core's
// longest. `offset` is valid for these three only.
`default_nettype none

module core_offset (
    input  wire        is_short,        // 16 bits
    input  wire [31:0] raw,             // a compressed one zero extended
    output wire        is_branch,       // C.BEQZ, C.BNEZ too
    output wire        is_jal,          // C.J, C.JAL too
    output wire        is_auipc,
    output wire [31:0] offset
);
    // 32 bits: bits 6 and 3 of the opcode tell the three apart.
    wire [31:0] long_offset =
        !raw[6] ? {raw[31:12], 12'd0} :
        raw[3]  ? {{12{raw[31]}}, raw[19:12], raw[20], raw[30:21], 1'b0} :
                  {{20{raw[31]}}, raw[7], raw[30:25], raw[11:8], 1'b0};

    // 16 bits: all are of quadrant 1; bit 14 tells branches from jumps.
    wire [15:0] s = raw[15:0];
    wire [31:0] short_offset =
        s[14] ? {{24{s[12]}}, s[6:5], s[2], s[11:10], s[4:3], 1'b0} :
                {{21{s[12]}}, s[8], s[10:9], s[6], s[7], s[2], s[11], s[5:3], 1'b0};

    assign is_branch = is_short ? s[1:0] == 2'b01 && s[15:14] == 2'b11 : raw[6:0] == 7'b1100011;
    assign is_jal    = is_short ? s[1:0] == 2'b01 && s[14:13] == 2'b01 : raw[6:0] == 7'b1101111;
    assign is_auipc  = raw[6:0] == 7'b0010111;
    assign offset    = is_short ? short_offset : long_offset;
endmodule

`default_nettype wire
