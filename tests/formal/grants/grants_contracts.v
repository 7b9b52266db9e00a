// SPDX-License-Identifier: Apache-2.0
//
// What the parts of a node promise one another for docs/security.md's proof of its bus ports. Each module here stands
// in at least two proofs: asserted where a part gives it (GIVEN 0), assumed where another takes it (GIVEN 1).
// tests/formal/grants/grants.sh refuses a promise that is taken somewhere and given nowhere.
`default_nettype none

module promise #(
    parameter GIVEN = 0
) (
    input wire when,
    input wire holds
);
    generate if (GIVEN != 0) begin : taken
        always @(*) if (when) assume (holds);
    end else begin : given
        always @(*) if (when) assert (holds);
    end endgenerate
endmodule

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
    promise #(.GIVEN(GIVEN)) kept (.when(1'b1), .holds(is_kept));
endmodule

// The data of any one write burst: as many beats as its address said, the last one marked, in the order of addresses.
// The other way round, data is taken only after its address.
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
    promise #(.GIVEN(GIVEN)) kept (.when(!rst), .holds(is_kept));
    promise #(.GIVEN(1 - GIVEN)) back (.when(!rst), .holds(is_behind));
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
    promise #(.GIVEN(GIVEN)) kept (.when(!rst), .holds(is_kept));
endmodule

// A command stands at the mover's port until it is taken or abort comes; abort stays until the mover is idle, and the
// mover stays idle while it does.
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
    reg             waits = 1'b0, aborts = 1'b0, rests = 1'b0;
    reg [WIDTH-1:0] before;
    always @(posedge clk) begin
        waits  <= !rst && valid && !ready;
        aborts <= !rst && abort && !idle && !rests;
        rests  <= !rst && abort && (idle || rests); // idle since abort came
        before <= command;
    end
    wire is_kept   = (!waits || abort || (valid && command == before)) && (!aborts || abort) && !(abort && valid);
    wire is_at_end = !rests || !abort || idle;      // the mover stays idle under abort
    promise #(.GIVEN(GIVEN)) kept (.when(!rst), .holds(is_kept));
    promise #(.GIVEN(1 - GIVEN)) back (.when(!rst), .holds(is_at_end));
endmodule

// The operands of a setting, of a TOUCH read and of a walk come from a privileged packet; so does a command that the
// guard will not look at. Nothing that the mover was given is under way while the guard is set.
module grants_origin #(
    parameter GIVEN = 0
) (
    input wire rst,
    input wire privileged,   // the packet at hand is of the ring, or of a RUN with PRIVILEGED
    input wire cmd_valid,
    input wire cmd_user,
    input wire touch_start,
    input wire list_start,
    input wire guard_valid,
    input wire is_busy       // a command given to the mover has not completed
);
    wire is_kept = privileged ? !(guard_valid && is_busy)
                              : (!cmd_valid || cmd_user) && !touch_start && !list_start && !guard_valid;
    promise #(.GIVEN(GIVEN)) kept (.when(!rst), .holds(is_kept));
endmodule

// A palette is loaded alone: from its start until it is done there is no command, none waits at the mover's port, no
// abort comes, and its place stands.
module grants_load #(
    parameter GIVEN = 0
) (
    input wire        clk,
    input wire        rst,
    input wire        start,
    input wire        done,
    input wire [31:8] source,
    input wire        abort,
    input wire        cmd_valid,
    input wire        stands,     // a command that has been taken waits at the mover's port
    output reg        open        // started and not done
);
    reg [31:8] before;
    always @(posedge clk) begin
        open   <= !rst && (start || open) && !done;
        before <= source;
    end
    wire is_kept = (!(start || open) || !(abort || cmd_valid || stands))
                && (!open || (!start && source == before));
    promise #(.GIVEN(GIVEN)) kept (.when(!rst), .holds(is_kept));
    // The other side's: it is done with what was started.
    promise #(.GIVEN(1 - GIVEN)) due (.when(!rst), .holds(!done || open));
endmodule

// A packet offered stays until it is taken or a restart drops it; after a restart no packet of before is offered, and
// those of the range that it named come first. After one that is taken none comes at once, and its words
// stand a cycle longer. Whose words a packet is made of: grants_words.v.
module grants_packet #(
    parameter GIVEN = 0
) (
    input wire         clk,
    input wire         rst,
    input wire         restart,
    input wire         has_words, // the restart names a range
    input wire         valid,
    input wire         ready,
    input wire [191:0] packet,
    input wire         truncated,
    input wire         in_run,
    input wire         run_last   // the last of its range
);
    reg         waits = 1'b0, taken = 1'b0, dropped = 1'b0, has_range = 1'b0;
    reg [194:0] before;
    always @(posedge clk) begin
        waits   <= !rst && !restart && valid && !ready;
        taken   <= valid && ready;
        dropped <= rst || restart;
        if (rst || restart)                         has_range <= !rst && has_words;
        else if (valid && ready && in_run && run_last) has_range <= 1'b0;
        before  <= {packet, truncated, in_run, run_last};
    end
    wire is_kept = (!waits || (valid && {packet, truncated, in_run, run_last} == before)) && (!dropped || !valid)
                && (!valid || in_run == has_range) && (!taken || (!valid && packet == before[194:3]));
    promise #(.GIVEN(GIVEN)) kept (.when(!rst), .holds(is_kept));
endmodule

// Abort stands for two cycles at least and until the mover says that it is idle; no command comes with it.
module grants_abort #(
    parameter GIVEN = 0
) (
    input wire clk,
    input wire rst,
    input wire abort,
    input wire idle,
    input wire cmd_valid
);
    reg aborts = 1'b0, abort_d1 = 1'b0, abort_d2 = 1'b0;
    always @(posedge clk) begin
        aborts   <= !rst && abort && !(abort_d1 && abort_d2 && idle);
        abort_d1 <= !rst && abort;
        abort_d2 <= !rst && abort_d1 && abort;
    end
    wire is_kept = (!aborts || abort) && !(abort && cmd_valid);
    promise #(.GIVEN(GIVEN)) kept (.when(!rst), .holds(is_kept));
endmodule

// The operands of a TOUCH read stand from its start until it is done: 1 to 8 bytes.
module grants_touch #(
    parameter GIVEN = 0
) (
    input wire        clk,
    input wire        rst,
    input wire        start,
    input wire        done,
    input wire [31:0] address,
    input wire [3:0]  bytes,
    output reg        open    // started and not done
);
    reg [35:0] before;
    always @(posedge clk) begin
        open   <= !rst && (start || open) && !done;
        before <= {address, bytes};
    end
    wire is_kept = (!(start || open) || (bytes != 4'd0 && bytes <= 4'd8))
                && (!open || (!start && {address, bytes} == before));
    promise #(.GIVEN(GIVEN)) kept (.when(!rst), .holds(is_kept));
    promise #(.GIVEN(1 - GIVEN)) due (.when(!rst), .holds(!done || open));
endmodule

`default_nettype wire
