// SPDX-License-Identifier: Apache-2.0
//
// What each bench of a part has: a clock, numbers at random, checks that count, and an end. Inputs change while the
// clock is low; outputs that depend on them are read a unit of time later.
    reg        clk = 1'b0;
    reg [31:0] random_state = 32'd20077;
    integer    passed = 0, failed = 0;

    task tick;
        begin
            #1 clk = 1'b1;
            #1 clk = 1'b0;
            #1;
        end
    endtask

    // xorshift32; `from`: nothing.
    function [31:0] random(input from);
        begin
            random_state = random_state ^ (random_state << 13);
            random_state = random_state ^ (random_state >> 17);
            random_state = random_state ^ (random_state << 5);
            random = random_state ^ {32{from & 1'b0}};
        end
    endfunction
    // 0 .. limit - 1
    function [31:0] pick(input [31:0] limit);
        pick = (random(1'b0) >> 3) % limit;
    endfunction
    // A byte or a word that is often at a border.
    function [7:0] some_byte(input from);
        case (pick(4))
            0:       some_byte = pick(3);
            1:       some_byte = 8'd255 - pick(3);
            default: some_byte = random(from);
        endcase
    endfunction
    function [31:0] some_word(input from);
        case (pick(8))
            0:       some_word = pick(3);
            1:       some_word = 32'd0 - pick(3);
            2:       some_word = 32'h80000000 - pick(3) + 32'd1;
            3:       some_word = 32'h0000ffff + pick(3);
            default: some_word = random(from) >> pick(32);
        endcase
    endfunction

    task check(input [63:0] got, input [63:0] wanted, input [63:0] about);
        if (got === wanted) passed = passed + 1;
        else begin
            if (failed < 5) $display("%m: of %h: %h, not %h", about, got, wanted);
            failed = failed + 1;
        end
    endtask

    task finish;
        begin
            $display("%0d passed, %0d failed", passed, failed);
            if (failed != 0 || passed == 0) $fatal;
        end
    endtask
