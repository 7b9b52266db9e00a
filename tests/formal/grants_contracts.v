// SPDX-License-Identifier: Apache-2.0
//
// What the parts of a node promise one another for docs/security.md's proof of its bus ports. Each module here stands in
// at least two proofs: asserted where a part gives it (GIVEN 0), assumed where another takes it (GIVEN 1).
// tests/formal/grants.sh refuses a promise that is taken somewhere and given nowhere.
`default_nettype none

// A burst lies in one 256-byte block, so in one page; and not on `page` unless the guard will look at it. `page` is any
// page that no privileged packet names.
module grants_burst #(
    parameter GIVEN = 0
) (
    input wire        valid,
    input wire [31:0] address,
    input wire [7:0]  beats,   // less one
    input wire        user,
    input wire [19:0] page
);
    wire [9:0] end_beat = {5'd0, address[7:3]} + {2'd0, beats};
    wire       is_kept  = !valid || (end_beat < 10'd32 && (user || address[31:12] != page));
    generate if (GIVEN != 0) begin : taken
        always @(*) assume (is_kept);
    end else begin : given
        always @(*) assert (is_kept);
    end endgenerate
endmodule

// The data of any one write burst: as many beats as its address said, the last one marked, in the order of addresses.
// The other way round, data is taken only behind its address.
module grants_write_data #(
    parameter GIVEN = 0
) (
    input wire       clk,
    input wire       rst,
    input wire       awvalid,
    input wire       awready,
    input wire [7:0] awlen,
    input wire       wvalid,
    input wire       wready,
    input wire       wlast,
    input wire       mark,     // the burst whose address is taken now is the one that is watched
    output reg       watching,
    output reg [7:0] open,     // bursts whose address has been taken and whose data has not
    output reg [7:0] before,   // ... of them, those before the watched one
    output reg [7:0] length,   // of the watched one
    output reg [7:0] beat      // of the oldest
);
    wire aw = awvalid && awready, w = wvalid && wready, ends = w && wlast;
    always @(posedge clk) begin
        open <= open + {7'd0, aw} - {7'd0, ends};
        beat <= !w ? beat : wlast ? 8'd0 : beat + 8'd1;
        if (mark && aw) begin
            watching <= 1'b1;
            before   <= open - {7'd0, ends};
            length   <= awlen;
        end else if (ends) begin
            if (before == 8'd0) watching <= 1'b0;
            else                before   <= before - 8'd1;
        end
        if (rst) begin
            watching <= 1'b0;
            open     <= 8'd0;
            beat     <= 8'd0;
        end
    end
    wire is_ours   = watching && before == 8'd0;
    wire is_kept   = !wvalid || !is_ours || (beat <= length && wlast == (beat == length));
    wire is_behind = !w || open != 8'd0;
    generate if (GIVEN != 0) begin : taken
        always @(*) if (!rst) begin
            assume (is_kept);
            assert (is_behind);
        end
    end else begin : given
        always @(*) if (!rst) begin
            assert (is_kept);
            assume (is_behind);
        end
    end endgenerate
endmodule

// A setting of the guard stands until it is done, and lies inside the table.
module grants_setting #(
    parameter GIVEN = 0
) (
    input wire        clk,
    input wire        rst,
    input wire        valid,
    input wire        ready,
    input wire [13:0] first,
    input wire [13:0] count,
    input wire        may_read,
    input wire        may_write
);
    reg         waits = 1'b0;
    reg  [29:0] before;
    wire [29:0] now = {first, count, may_read, may_write};
    always @(posedge clk) begin
        waits  <= !rst && valid && !ready;
        before <= now;
    end
    wire is_kept = (!waits || (valid && now == before))
                && (!valid || (count != 14'd0 && {1'b0, first} + {1'b0, count} <= 15'd12288));
    generate if (GIVEN != 0) begin : taken
        always @(*) if (!rst) assume (is_kept);
    end else begin : given
        always @(*) if (!rst) assert (is_kept);
    end endgenerate
endmodule

// A command stands at the mover's port until it is taken or abort comes; abort stays until the mover is idle.
module grants_command #(
    parameter GIVEN = 0,
    parameter WIDTH = 179
) (
    input wire             clk,
    input wire             rst,
    input wire             abort,
    input wire             idle,
    input wire             valid,
    input wire             ready,
    input wire [WIDTH-1:0] command
);
    reg             waits = 1'b0, aborts = 1'b0;
    reg [WIDTH-1:0] before;
    always @(posedge clk) begin
        waits  <= !rst && valid && !ready;
        aborts <= !rst && abort && !idle;
        before <= command;
    end
    wire is_kept = (!waits || abort || (valid && command == before)) && (!aborts || abort) && !(abort && valid);
    generate if (GIVEN != 0) begin : taken
        always @(*) if (!rst) assume (is_kept);
    end else begin : given
        always @(*) if (!rst) assert (is_kept);
    end endgenerate
endmodule

`default_nettype wire
