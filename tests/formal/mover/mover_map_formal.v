// SPDX-License-Identifier: Apache-2.0
//
// Proof for mover_map: whatever words a map has, each unit is looked for in a row and a column of the source rectangle,
// and each read is of a beat that holds a byte of such a unit; a unit that is left out is not read; its parts are its
// bytes, in order. So it is where the rectangle is repeated, and of each of the four units of a filtered command, which
// lie in a beat each. By induction: unbounded. The rectangle is not empty, a filtered command's units lie at
// multiples of their size (node_locate.v), the command stands.
`default_nettype none

module mover_map_formal (
    input wire        clk,
    input wire        word_push,
    input wire [31:0] word,
    input wire        start,
    input wire        taken,
    input wire [31:0] source,
    input wire [15:0] pitch,
    input wire [2:0]  format,
    input wire [15:0] units,
    input wire [15:0] rows,
    input wire        transparent,
    input wire        repeated,
    input wire        filtered,
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
    (* hierconn *) wire        \map.valid_4 ;
    (* hierconn *) wire [31:0] \map.address ;
    (* hierconn *) wire        \map.move ;
    (* hierconn *) wire        \map.full ;
    (* hierconn *) wire        \map.left_out ;
    (* hierconn *) wire [31:3] \map.beat ;
    (* hierconn *) wire [2:0]  \map.lane ;
    (* hierconn *) wire [1:0]  \map.left ;
    (* hierconn *) wire [1:0]  \map.state ;
    (* hierconn *) wire [2:0]  \map.place ;
    (* hierconn *) wire [1:0]  \map.size ;
    (* hierconn *) wire [2:0]  \map.loaded ;
    (* hierconn *) wire [31:0] \map.row_u ;
    (* hierconn *) wire [31:0] \map.row_v ;
    (* hierconn *) wire [31:0] \map.u_x ;
    (* hierconn *) wire [31:0] \map.v_x ;
    (* hierconn *) wire [31:0] \map.u_y ;
    (* hierconn *) wire [31:0] \map.v_y ;
    (* hierconn *) wire [31:0] \map.u ;
    (* hierconn *) wire [31:0] \map.v ;
    (* hierconn *) wire [31:0] \map.product ;
    (* hierconn *) wire [18:0] \map.across ;
    (* hierconn *) wire [2:0]  \map.folds_left ;
    (* hierconn *) wire        \map.is_due ;
    (* hierconn *) wire        \map.fold_one.divides ;
    (* hierconn *) wire [15:0] \map.fold_one.rest ;
    (* hierconn *) wire [15:0] \map.fold_one.period ;
    (* hierconn *) wire        \map.fold_one.is_near ;
    (* hierconn *) wire [15:0] \map.column_1 ;
    (* hierconn *) wire [18:0] \map.across_1 ;
    (* hierconn *) wire [31:0] \map.address_1 ;
    (* hierconn *) wire [31:0] \map.taps.at_0 ;
    (* hierconn *) wire [31:0] \map.taps.at_1 ;
    (* hierconn *) wire        \map.taps.nothing ;
    wire [1:0]  size = \map.size ;
    reg rst = 1'b1;
    always @(posedge clk) rst <= 1'b0;

    wire        is_idle, is_walking, finished, burst_valid, part_push;
    wire [31:3] burst_address;
    wire [8:0]  burst_bytes, part_bytes;
    wire [34:0] part;
    mover_map map (
        .clk(clk), .rst(rst), .word_push(word_push), .word(word), .start(start), .taken(taken), .source(source),
        .pitch(pitch), .format(format), .units(units), .rows(rows), .transparent(transparent), .repeated(repeated),
        .filtered(filtered), .is_idle(is_idle),
        .is_walking(is_walking), .finished(finished), .burst_valid(burst_valid), .burst_ready(burst_ready),
        .burst_address(burst_address), .burst_bytes(burst_bytes), .asked(asked), .part_room(part_room),
        .part_push(part_push), .part(part), .part_bytes(part_bytes)
    );

    reg        runs = 1'b0;
    reg [85:0] command_d1 = 86'd0;
    reg [31:0] first = 32'd0;             // byte of the unit in parts
    reg [31:0] first_1 = 32'd0;           // of the next one, of a filtered command
    wire [85:0] command = {source, pitch, format, units, rows, transparent, repeated, filtered};
    always @(posedge clk) begin
        runs       <= !rst && (start || !is_idle);
        command_d1 <= command;
        if (\map.move ) begin
            first   <= \map.address ;
            first_1 <= \map.address_1 ;
        end
    end
    always @(*) begin
        assume (!word_push || !\map.full );
        assume (!taken || finished);
        assume (!runs || is_idle || command == command_d1);
        assume (units != 16'd0 && rows != 16'd0);
        if (\map.loaded == 3'd7) assume (\map.extent [15:0] != 16'd0 && \map.extent [31:16] != 16'd0);
        assume (!(transparent && repeated));
        if (filtered) assume (size != 2'd2 && (source[1:0] & size) == 2'd0 && (pitch[1:0] & size) == 2'd0);
    end

    // Words that have been folded are below the rectangle's size: the last one stands where it was put in.
    wire [2:0]   folds = 3'd6 - \map.folds_left ;
    wire [191:0] ring = {\map.v_y , \map.u_y , \map.v_x , \map.u_x , \map.row_v , \map.row_u };
    wire [5:0]   is_below;
    genvar k;
    generate for (k = 0; k < 6; k = k + 1) begin : word_of_ring
        wire [2:0] nth = folds - k;      // this word was the nth
        assign is_below[k] = folds <= k
            || ring[32*k + 16 +: 16] < (nth[0] ? \map.extent [31:16] : \map.extent [15:0]);
    end endgenerate

    wire [31:0] at    = {\map.beat , \map.lane };
    wire [31:0] last  = first + {30'd0, size};
    wire [1:0]  bytes = part[6:5];
    always @(posedge clk) if (!rst) begin
`ifdef REACH
        // A read of a second beat for one unit, of a row that is not the first.
        assert (!(burst_valid && burst_ready && at != first && \map.row != 16'd0));
`else
        assert (\map.state != 2'd1 || \map.loaded <= 3'd7);
        if (\map.state [1]) assert (\map.loaded == 3'd7 && \map.folds_left == 3'd0);
        if (\map.state != 2'd0) assert (\map.folds_left <= 3'd6);
        if (\map.state != 2'd0) assert (repeated || \map.folds_left == 3'd0);
        if (\map.fold_one.divides ) begin
            assert (\map.is_due && !\map.fold_one.is_near );
            assert (\map.fold_one.rest < \map.fold_one.period );
        end
        if (repeated && \map.state != 2'd0 && (\map.state [1] || \map.loaded == 3'd7)) assert (&is_below);
        if (\map.state == 2'd1 && \map.loaded != 3'd7 && repeated) assert (\map.folds_left == 3'd6);
        if (\map.state == 2'd2 && repeated)
            assert (\map.u [31:16] < \map.extent [15:0] && \map.v [31:16] < \map.extent [31:16]);
        if (\map.valid_1 && filtered) assert (\map.column_1 < \map.extent [15:0]);
        if (\map.valid_2 && filtered)
            assert ((({\map.product [1:0], \map.across [1:0], \map.across_1 [1:0]}) & {3{size}}) == 6'd0);
        if (\map.valid_3 && filtered)
            assert ((({\map.address [1:0], \map.address_1 [1:0]}) & {2{size}}) == 4'd0);
        if (!\map.state [1]) assert (!\map.valid_1 && !\map.valid_2 && !\map.valid_3 && !\map.valid_4 );
        if (\map.valid_1 ) begin
            assert (\map.column < \map.extent [15:0]);
            assert (\map.row < \map.extent [31:16]);
            assert (!\map.tags_1 [2] || transparent);
        end
        if (\map.valid_4 && filtered) begin
            assert (\map.taps.at_0 == first && \map.taps.at_1 == first_1);
            assert (\map.taps.nothing == \map.left_out );
            assert ((({first[1:0], first_1[1:0]}) & {2{size}}) == 4'd0);
            // Each unit lies in one beat; nothing else is read.
            assert ({1'b0, first[2:0]} + {2'd0, size} < 4'd8 && {1'b0, first_1[2:0]} + {2'd0, size} < 4'd8);
            if (burst_valid) begin
                assert (!\map.left_out );
                assert (burst_address == first[31:3] || burst_address == first_1[31:3]);
            end
        end
        if (\map.valid_4 && !filtered) begin
            assert (\map.left <= size);
            if (!\map.left_out ) assert (at + {30'd0, \map.left } == last);
            else assert ({1'b0, \map.lane } + {2'd0, \map.left } < 4'd8);
        end
        if (burst_valid && !filtered) begin
            assert (!\map.left_out );
            assert (burst_address == at[31:3] && at - first <= {30'd0, size});
        end
        if (part_push && !filtered) begin
            assert (bytes <= \map.left );
            assert ({1'b0, \map.lane } + {2'd0, bytes} < 4'd8 && {1'b0, \map.place } + {2'd0, bytes} < 4'd8);
        end
`endif
    end
endmodule

`default_nettype wire
