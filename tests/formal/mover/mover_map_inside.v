// SPDX-License-Identifier: Apache-2.0
//
// Proof for mover_map: whatever words a map has, each unit is looked for in a row and a column of the source rectangle,
// and each read is of a beat that holds a byte of such a unit; a unit that is left out is not read; its parts are its
// bytes, in order. By induction: unbounded. The rectangle is not empty (node_locate.v), the command stands.
`default_nettype none

module mover_map_inside (
    input wire        clk,
    input wire        word_push,
    input wire [31:0] word,
    input wire        start,
    input wire        taken,
    input wire [31:0] source,
    input wire [15:0] pitch,
    input wire [1:0]  size,
    input wire [15:0] units,
    input wire [15:0] rows,
    input wire        transparent,
    input wire        burst_ready,
    input wire        asked,
    input wire        part_room
);
    // Signals inside, by Yosys's way of naming them after flattening.
    (* hierconn *) wire [31:0] \map.extent ;
    (* hierconn *) wire [15:0] \map.column ;
    (* hierconn *) wire [15:0] \map.row ;
    (* hierconn *) wire [2:0]  \map.tags_1 ;
    (* hierconn *) wire        \map.valid_1 ;
    (* hierconn *) wire        \map.valid_2 ;
    (* hierconn *) wire        \map.valid_3 ;
    (* hierconn *) wire [31:0] \map.address ;
    (* hierconn *) wire        \map.move ;
    (* hierconn *) wire        \map.full ;
    (* hierconn *) wire        \map.left_out ;
    (* hierconn *) wire [31:3] \map.beat ;
    (* hierconn *) wire [2:0]  \map.lane ;
    (* hierconn *) wire [1:0]  \map.left ;
    (* hierconn *) wire [1:0]  \map.state ;
    (* hierconn *) wire [2:0]  \map.place ;
    reg rst = 1'b1;
    always @(posedge clk) rst <= 1'b0;

    wire        is_idle, is_walking, finished, burst_valid, part_push;
    wire [31:3] burst_address;
    wire [8:0]  burst_bytes, part_bytes;
    wire [9:0]  part;
    mover_map map (
        .clk(clk), .rst(rst), .word_push(word_push), .word(word), .start(start), .taken(taken), .source(source),
        .pitch(pitch), .size(size), .units(units), .rows(rows), .transparent(transparent), .is_idle(is_idle),
        .is_walking(is_walking), .finished(finished), .burst_valid(burst_valid), .burst_ready(burst_ready),
        .burst_address(burst_address), .burst_bytes(burst_bytes), .asked(asked), .part_room(part_room),
        .part_push(part_push), .part(part), .part_bytes(part_bytes)
    );

    reg        runs = 1'b0;
    reg [82:0] command_d1 = 83'd0;
    reg [31:0] first = 32'd0;             // byte of the unit in parts
    wire [82:0] command = {source, pitch, size, units, rows, transparent};
    always @(posedge clk) begin
        runs       <= !rst && !is_idle;
        command_d1 <= command;
        if (\map.move ) first <= \map.address ;
    end
    always @(*) begin
        assume (!word_push || !\map.full );
        assume (!taken || finished);
        assume (!runs || is_idle || command == command_d1);
        assume (units != 16'd0 && rows != 16'd0);
        if (\map.state [1]) assume (\map.extent [15:0] != 16'd0 && \map.extent [31:16] != 16'd0);
    end

    wire [31:0] at    = {\map.beat , \map.lane };
    wire [31:0] last  = first + {30'd0, size};
    wire [1:0]  bytes = part[6:5];
    always @(posedge clk) if (!rst) begin
`ifdef REACH
        // A read of a second beat for one unit, of a row that is not the first.
        assert (!(burst_valid && burst_ready && at != first && \map.row != 16'd0));
`else
        if (!\map.state [1]) assert (!\map.valid_1 && !\map.valid_2 && !\map.valid_3 );
        if (\map.valid_1 ) begin
            assert (\map.column < \map.extent [15:0]);
            assert (\map.row < \map.extent [31:16]);
            assert (!\map.tags_1 [2] || transparent);
        end
        if (\map.valid_3 ) begin
            assert (\map.left <= size);
            if (!\map.left_out ) assert (at + {30'd0, \map.left } == last);
            else assert ({1'b0, \map.lane } + {2'd0, \map.left } < 4'd8);
        end
        if (burst_valid) begin
            assert (!\map.left_out );
            assert (burst_address == at[31:3] && at - first <= {30'd0, size});
        end
        if (part_push) begin
            assert (bytes <= \map.left );
            assert ({1'b0, \map.lane } + {2'd0, bytes} < 4'd8 && {1'b0, \map.place } + {2'd0, bytes} < 4'd8);
        end
`endif
    end
endmodule

`default_nettype wire
