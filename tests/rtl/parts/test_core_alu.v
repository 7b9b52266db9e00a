// SPDX-License-Identifier: Apache-2.0
//
// Every result and branch condition of the core's execute stage, of operands at random and at borders, against 64-bit
// arithmetic; quotients while an instruction waits, and one that is abandoned.
`default_nettype none
module test_core_alu;
`include "bench.vh"
`include "core_result.vh"
    reg         rst = 1'b1, arithmetic, subtract, is_unsigned, divide = 1'b0, flush = 1'b0;
    reg  [2:0]  funct3, from;
    reg  [1:0]  logic_op;
    reg  [31:0] a, r, b, link, target, csr_value, wanted;
    reg signed [63:0] wide_a, wide_b;
    wire        divide_done, taken;
    wire [31:0] result;
    integer     i, cycles;
    core_alu alu (
        .clk(clk), .rst(rst), .funct3(funct3), .arithmetic(arithmetic), .subtract(subtract), .is_unsigned(is_unsigned),
        .logic_op(logic_op), .result_from(from), .a(a), .r(r), .b(b), .link(link), .target(target),
        .csr_value(csr_value), .divide(divide), .flush(flush), .divide_done(divide_done), .taken(taken), .result(result)
    );
    task divide_one(input integer limit);   // cycles that the instruction waits for at most
        begin
            divide = 1'b1;
            for (cycles = 0; !divide_done && cycles < limit; cycles = cycles + 1) tick;
        end
    endtask
    task leave;                             // the instruction goes, or is taken back
        begin
            {divide, flush} = 2'b01;
            tick;
            flush = 1'b0;
            #1;
            check(divide_done, 1'b0, {a, r});
        end
    endtask
    initial begin
        {arithmetic, subtract, is_unsigned, funct3, from, logic_op, a, r, b} = 128'd0;
        tick;
        rst = 1'b0;
        for (i = 0; i < 12000; i = i + 1) begin
            {a, r} = {some_word(1'b0), some_word(1'b0)};
            if (pick(8) == 0) r = a;
            b = pick(2) == 0 ? r : some_word(1'b0);         // register 2 or the immediate
            {link, target, csr_value} = {random(1'b0), random(1'b0), random(1'b0)};
            {funct3, arithmetic, is_unsigned, subtract, logic_op} = random(1'b0);
            from   = i[2:0];
            if (from == RESULT_LESS) subtract = 1'b1;
            arithmetic = arithmetic && funct3[2];           // to the right
            if (from == RESULT_QUOTIENT) funct3[2] = 1'b1;
            wide_a = is_unsigned ? {32'd0, a} : {{32{a[31]}}, a};
            wide_b = is_unsigned ? {32'd0, b} : {{32{b[31]}}, b};
            case (from)
                RESULT_SUM:     wanted = subtract ? a - b : a + b;
                RESULT_LOGICAL: wanted = logic_op == 0 ? a ^ b : logic_op == 1 ? b : logic_op == 2 ? a | b : a & b;
                RESULT_LESS:    wanted = wide_a < wide_b;
                RESULT_SHIFT:   wanted = !funct3[2] ? a << b[4:0]
                                       : {{32{arithmetic && a[31]}}, a} >> b[4:0];
                RESULT_LINK:    wanted = link;
                RESULT_CSR:     wanted = csr_value;
                RESULT_TARGET:  wanted = target;
                default: begin
                    wide_a = funct3[0] ? {32'd0, a} : {{32{a[31]}}, a};
                    wide_b = funct3[0] ? {32'd0, r} : {{32{r[31]}}, r};
                    if (r == 32'd0) wanted = funct3[1] ? wide_a : -64'sd1;
                    else wanted = funct3[1] ? wide_a % wide_b : wide_a / wide_b;
                end
            endcase
            if (from == RESULT_QUOTIENT) begin
                if (pick(4) == 0) begin     // abandoned: nothing of it is left
                    a = random(1'b0);
                    divide_one(pick(16));
                    leave;
                    a = wide_a;
                end
                divide_one(40);
                check(divide_done, 1'b1, {a, r});
                tick;                       // a later instruction may still hold it up
                check(divide_done, 1'b1, {a, r});
            end
            #1;
            check(result, wanted, {a, b});
            if (from == RESULT_QUOTIENT) leave;
            // Branches compare the registers: BEQ, BNE, BLT, BGE, BLTU, BGEU.
            {b, subtract, is_unsigned, funct3[1]} = {r, 1'b1, {2{funct3[1] && funct3[2]}}};
            wide_a = is_unsigned ? {32'd0, a} : {{32{a[31]}}, a};
            wide_b = is_unsigned ? {32'd0, r} : {{32{r[31]}}, r};
            #1;
            check(taken, (funct3[2] ? wide_a < wide_b : wide_a == wide_b) != funct3[0], {a, r});
        end
        finish;
    end
endmodule
`default_nettype wire
