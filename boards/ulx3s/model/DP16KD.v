// SPDX-License-Identifier: Apache-2.0
//
// The ECP5's block RAM, 1024 words of 18 bits, for simulation, as far as Yosys maps this board onto it: its own library
// has the ports and parameters only. What a width means is taken from Yosys' techmap (ecp5/brams_map.v), a word being
// two bytes of nine bits:
//
//   36        two words (both ports, A writes and B reads): the lower one is DIA and DOA, the upper one DIB and DOB;
//             address[3:0] of port A enable the bytes
//   18        address[1:0] enable the bytes
//   4, 2, 1   address[13:2], [13:1], [13:0] pick a part of a byte's lower eight bits
//
// What one port reads in the edge in which the other writes it is the old value here; on the chip it is undefined.
// Parameters of which the model knows nothing are refused when the simulation is built; writes through port B, chip
// select and resets while it runs.
`default_nettype none

module DP16KD #(
    parameter integer DATA_WIDTH_A        = 18,
    parameter integer DATA_WIDTH_B        = 18,
    parameter REGMODE_A           = "NOREG",
    parameter REGMODE_B           = "NOREG",
    parameter RESETMODE           = "SYNC",
    parameter ASYNC_RESET_RELEASE = "SYNC",
    parameter CSDECODE_A          = "0b000",
    parameter CSDECODE_B          = "0b000",
    parameter CLKAMUX             = "CLKA",
    parameter CLKBMUX             = "CLKB",
    parameter WRITEMODE_A         = "NORMAL",
    parameter WRITEMODE_B         = "NORMAL",
    parameter GSR                 = "ENABLED",
    parameter [319:0] INITVAL_00 = 0, INITVAL_01 = 0, INITVAL_02 = 0, INITVAL_03 = 0, INITVAL_04 = 0, INITVAL_05 = 0,
    parameter [319:0] INITVAL_06 = 0, INITVAL_07 = 0, INITVAL_08 = 0, INITVAL_09 = 0, INITVAL_0A = 0, INITVAL_0B = 0,
    parameter [319:0] INITVAL_0C = 0, INITVAL_0D = 0, INITVAL_0E = 0, INITVAL_0F = 0, INITVAL_10 = 0, INITVAL_11 = 0,
    parameter [319:0] INITVAL_12 = 0, INITVAL_13 = 0, INITVAL_14 = 0, INITVAL_15 = 0, INITVAL_16 = 0, INITVAL_17 = 0,
    parameter [319:0] INITVAL_18 = 0, INITVAL_19 = 0, INITVAL_1A = 0, INITVAL_1B = 0, INITVAL_1C = 0, INITVAL_1D = 0,
    parameter [319:0] INITVAL_1E = 0, INITVAL_1F = 0, INITVAL_20 = 0, INITVAL_21 = 0, INITVAL_22 = 0, INITVAL_23 = 0,
    parameter [319:0] INITVAL_24 = 0, INITVAL_25 = 0, INITVAL_26 = 0, INITVAL_27 = 0, INITVAL_28 = 0, INITVAL_29 = 0,
    parameter [319:0] INITVAL_2A = 0, INITVAL_2B = 0, INITVAL_2C = 0, INITVAL_2D = 0, INITVAL_2E = 0, INITVAL_2F = 0,
    parameter [319:0] INITVAL_30 = 0, INITVAL_31 = 0, INITVAL_32 = 0, INITVAL_33 = 0, INITVAL_34 = 0, INITVAL_35 = 0,
    parameter [319:0] INITVAL_36 = 0, INITVAL_37 = 0, INITVAL_38 = 0, INITVAL_39 = 0, INITVAL_3A = 0, INITVAL_3B = 0,
    parameter [319:0] INITVAL_3C = 0, INITVAL_3D = 0, INITVAL_3E = 0, INITVAL_3F = 0
) (
    input  wire CLKA, CEA, OCEA, WEA, RSTA, CSA0, CSA1, CSA2,
    input  wire ADA0, ADA1, ADA2, ADA3, ADA4, ADA5, ADA6, ADA7, ADA8, ADA9, ADA10, ADA11, ADA12, ADA13,
    input  wire DIA0, DIA1, DIA2, DIA3, DIA4, DIA5, DIA6, DIA7, DIA8, DIA9, DIA10, DIA11, DIA12, DIA13, DIA14, DIA15,
                DIA16, DIA17,
    output wire DOA0, DOA1, DOA2, DOA3, DOA4, DOA5, DOA6, DOA7, DOA8, DOA9, DOA10, DOA11, DOA12, DOA13, DOA14, DOA15,
                DOA16, DOA17,
    input  wire CLKB, CEB, OCEB, WEB, RSTB, CSB0, CSB1, CSB2,
    input  wire ADB0, ADB1, ADB2, ADB3, ADB4, ADB5, ADB6, ADB7, ADB8, ADB9, ADB10, ADB11, ADB12, ADB13,
    input  wire DIB0, DIB1, DIB2, DIB3, DIB4, DIB5, DIB6, DIB7, DIB8, DIB9, DIB10, DIB11, DIB12, DIB13, DIB14, DIB15,
                DIB16, DIB17,
    output wire DOB0, DOB1, DOB2, DOB3, DOB4, DOB5, DOB6, DOB7, DOB8, DOB9, DOB10, DOB11, DOB12, DOB13, DOB14, DOB15,
                DOB16, DOB17
);
    generate
        if (DATA_WIDTH_A != DATA_WIDTH_B || DATA_WIDTH_A > 36 || DATA_WIDTH_A == 9 || REGMODE_A != "NOREG" ||
            REGMODE_B != "NOREG" || CSDECODE_A != "0b000" || CSDECODE_B != "0b000" || CLKAMUX != "CLKA" ||
            CLKBMUX != "CLKB" || WRITEMODE_A == "WRITETHROUGH") begin : check
            block_ram_in_a_mode_without_model illegal();
        end
    endgenerate
    localparam IS_WIDE = DATA_WIDTH_A == 36, IS_WORD = DATA_WIDTH_A == 18;

    // ------------------------------------------------------------------ content
    // INITVAL_nn holds sixteen words, twenty bits apart.
    localparam [20479:0] INITIAL = {
        INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39, INITVAL_38, INITVAL_37,
        INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32, INITVAL_31, INITVAL_30, INITVAL_2F, INITVAL_2E,
        INITVAL_2D, INITVAL_2C, INITVAL_2B, INITVAL_2A, INITVAL_29, INITVAL_28, INITVAL_27, INITVAL_26, INITVAL_25,
        INITVAL_24, INITVAL_23, INITVAL_22, INITVAL_21, INITVAL_20, INITVAL_1F, INITVAL_1E, INITVAL_1D, INITVAL_1C,
        INITVAL_1B, INITVAL_1A, INITVAL_19, INITVAL_18, INITVAL_17, INITVAL_16, INITVAL_15, INITVAL_14, INITVAL_13,
        INITVAL_12, INITVAL_11, INITVAL_10, INITVAL_0F, INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A,
        INITVAL_09, INITVAL_08, INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03, INITVAL_02, INITVAL_01,
        INITVAL_00
    };
    reg [17:0] memory [0:1023];
    integer    i;
    initial for (i = 0; i < 1024; i = i + 1) memory[i] = INITIAL[20*i +: 18];

    // ------------------------------------------------------------------ port A
    wire [13:0] at_a = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
    /* verilator lint_off UNUSED */ // of the words written at once, a narrow port has a bit or a few
    wire [17:0] in_a = {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4,
        DIA3, DIA2, DIA1, DIA0};
    wire [17:0] in_b = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4,
        DIB3, DIB2, DIB1, DIB0};
    /* verilator lint_on UNUSED */
    localparam [17:0] PART = IS_WORD ? 18'h3ffff : (18'd1 << DATA_WIDTH_A) - 18'd1;
    wire [4:0]  low_a   = IS_WORD ? 5'd0 : (at_a[3] ? 5'd9 : 5'd0) + {2'd0, at_a[2:0]};
    wire [17:0] which   = IS_WORD ? {{9{at_a[1]}}, {9{at_a[0]}}} : PART << low_a;
    wire [17:0] written = IS_WORD ? in_a : (in_a & PART) << low_a;
    reg  [17:0] out_a;
    always @(posedge CLKA)
        if (CEA) begin
            if (WEA && IS_WIDE) begin
                if (at_a[0]) memory[{at_a[13:5], 1'b0}][8:0]  <= in_a[8:0];
                if (at_a[1]) memory[{at_a[13:5], 1'b0}][17:9] <= in_a[17:9];
                if (at_a[2]) memory[{at_a[13:5], 1'b1}][8:0]  <= in_b[8:0];
                if (at_a[3]) memory[{at_a[13:5], 1'b1}][17:9] <= in_b[17:9];
            end
            if (WEA && !IS_WIDE) memory[at_a[13:4]] <= memory[at_a[13:4]] & ~which | written & which;
            if (!WEA || WRITEMODE_A == "READBEFOREWRITE") out_a <= memory[at_a[13:4]] >> low_a & PART;
        end

    // ------------------------------------------------------------------ port B
    wire [13:0] at_b = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
    wire [4:0] low_b = IS_WORD ? 5'd0 : (at_b[3] ? 5'd9 : 5'd0) + {2'd0, at_b[2:0]};
    reg [17:0] out_b, out_lower;
    always @(posedge CLKB)
        if (CEB) begin
            out_lower <= memory[{at_b[13:5], 1'b0}];
            out_b     <= IS_WIDE ? memory[{at_b[13:5], 1'b1}] : memory[at_b[13:4]] >> low_b & PART;
        end
    assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2,
        DOA1, DOA0} = IS_WIDE ? out_lower : out_a;
    assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2,
        DOB1, DOB0} = out_b;
    wire unused = &{1'b0, OCEA, OCEB, at_a[13:0], at_b[13:0], out_a, out_lower};

`ifdef GPU_ASSERT
    // What the model leaves out is not asked for.
    always @(posedge CLKA) assert ({RSTA, CSA0, CSA1, CSA2} == 4'd0);
    always @(posedge CLKB) assert ({RSTB, CSB0, CSB1, CSB2} == 4'd0 && !WEB);
`endif
endmodule
`default_nettype wire
