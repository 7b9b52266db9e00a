// SPDX-License-Identifier: Apache-2.0
//
// Physical memory protection: registers of REGIONS regions, a checker for fetched words, and one for execute's
// accesses.
//
// The core has machine mode only. So a region acts only while it is locked, and stays locked until reset. What no
// locked region matches is allowed; the lowest numbered match decides. Granularity is 4 bytes, and no access crosses 4
// bytes. Without POWERS a region is OFF or TOR, and NA4 or NAPOT become OFF (A is WARL). That halves the area. pmpaddr
// keeps bits 29:0. Regions that do not exist read zero.
`default_nettype none

module core_pmp #(
    parameter REGIONS = 4,              // 1..8
    parameter POWERS  = 1               // 0: no NA4, no NAPOT
) (
    input  wire        clk,
    input  wire        rst,

    // Register access: index 0 = pmpcfg0, 9 = pmpcfg1, 1 + n = pmpaddr n.
    input  wire [3:0]  index,
    output wire [31:0] read_value,
    input  wire        write,
    input  wire [31:0] write_value,

    input  wire [31:2] fetch_address,
    output wire        fetch_deny,

    // An access of the data port: its address a step before, with `data_take`.
    input  wire        data_take,
    input  wire [31:2] data_address,
    input  wire        data_write,
    output wire        data_deny
);
    // Configuration byte n: L - - A1 A0 X W R. Reserved combination W without R is stored as neither.
    reg [6 * REGIONS - 1:0]  configuration;     // L A1 A0 X W R of each region
    reg [30 * REGIONS - 1:0] addresses;

    localparam OFF = 2'd0, TOR = 2'd1, NA4 = 2'd2;

    wire [REGIONS - 1:0] fetch_match, fetch_bad, fetch_below, data_matches, data_bad, data_below;
    reg  [REGIONS - 1:0] data_match;
    always @(posedge clk)
        if (data_take) data_match <= data_matches;
    wire [8 * REGIONS - 1:0] configuration_bytes;
    wire [REGIONS - 1:0] address_written;       // pmpaddr n changes at the end of this cycle

    genvar n;
    generate
        for (n = 0; n < REGIONS; n = n + 1) begin : region
            wire [5:0]  own     = configuration[6 * n +: 6];
            wire [29:0] address = addresses[30 * n +: 30];
            wire        locked  = own[5];
            wire [1:0]  mode    = own[4:3];
            wire        tor     = mode == TOR;

            // NAPOT: the bits up to and with the lowest zero are not compared.
            wire [29:0] ignore   = (mode == NA4) ? 30'd0 : address ^ (address + 30'd1);
            wire data_power  = POWERS != 0 && ((data_address ^ address) & ~ignore) == 30'd0;
            wire fetch_power = POWERS != 0 && ((fetch_address ^ address) & ~ignore) == 30'd0;

            // Below this region's end; the one before tells about its bottom.
            wire fetch_above_bottom, data_above_bottom;
            assign fetch_below[n] = fetch_address < address;
            assign data_below[n]  = data_address < address;
            wire   fetch_range    = fetch_below[n] && fetch_above_bottom;
            wire   data_range     = data_below[n] && data_above_bottom;
            assign fetch_match[n] = mode != OFF && (tor ? fetch_range : fetch_power);
            assign data_matches[n] = mode != OFF && (tor ? data_range : data_power);
            assign fetch_bad[n]   = locked && !own[2];
            assign data_bad[n]    = locked && !(data_write ? own[1] : own[0]);

            assign configuration_bytes[8 * n +: 8] = {locked, 2'd0, own[4:0]};

            // A locked range also locks the address it begins at.
            wire next_locks;
            if (n + 1 < REGIONS) begin : above
                assign next_locks = configuration[6 * n + 11] && configuration[6 * n + 9 +: 2] == TOR;
            end else begin : last
                assign next_locks = 1'b0;
            end
            if (n > 0) begin : below
                assign fetch_above_bottom = !fetch_below[n - 1];
                assign data_above_bottom  = !data_below[n - 1];
            end else begin : first
                assign fetch_above_bottom = 1'b1;
                assign data_above_bottom  = 1'b1;
            end

            localparam [3:0] BYTES_AT = (n < 4) ? 4'd0 : 4'd9, ADDRESS_AT = n + 1;
            wire [7:0] new_configuration = write_value[8 * (n % 4) +: 8];
            wire       readable = new_configuration[0];
            wire [1:0] new_mode = POWERS != 0 || !new_configuration[4] ? new_configuration[4:3] : OFF;
            assign address_written[n] = write && index == ADDRESS_AT && !locked && !next_locks;
            always @(posedge clk) begin
                if (write && index == BYTES_AT && !locked)
                    configuration[6 * n +: 6] <= {new_configuration[7], new_mode, new_configuration[2],
                                         new_configuration[1] && readable, readable};
                if (address_written[n]) addresses[30 * n +: 30] <= write_value[29:0];
                if (rst) begin
                    configuration[6 * n +: 6] <= 6'd0;
                    addresses[30 * n +: 30]   <= 30'd0;
                end
            end
            wire unused = &{1'b0, new_configuration[6:5]};
        end
    endgenerate

    // The lowest matching region decides: by pairs, fours, eight, since this is a long way in the cycle.
    function decide(input [7:0] match, input [7:0] bad);
        reg [2:0] pair;
        reg [3:0] pair_bad;
        reg [1:0] four_bad;
        integer   k;
        begin
            for (k = 0; k < 3; k = k + 1) pair[k] = match[2 * k] || match[2 * k + 1];
            for (k = 0; k < 4; k = k + 1)
                pair_bad[k] = match[2 * k] ? bad[2 * k] : match[2 * k + 1] && bad[2 * k + 1];
            four_bad[0] = pair[0] ? pair_bad[0] : pair_bad[1];
            four_bad[1] = pair[2] ? pair_bad[2] : pair_bad[3];
            decide      = pair[0] || pair[1] ? four_bad[0] : four_bad[1];
        end
    endfunction
    wire [15:0] of_fetch_match = {{16 - REGIONS{1'b0}}, fetch_match}, of_fetch_bad = {{16 - REGIONS{1'b0}}, fetch_bad};
    wire [15:0] of_data_match = {{16 - REGIONS{1'b0}}, data_match}, of_data_bad = {{16 - REGIONS{1'b0}}, data_bad};
    assign fetch_deny = decide(of_fetch_match[7:0], of_fetch_bad[7:0]);
    assign data_deny  = decide(of_data_match[7:0], of_data_bad[7:0]);

    // What is read of pmpaddr comes from a copy in a memory: a multiplexer of all of them would be the most crowded
    // place of a small FPGA.
    (* ram_style = "distributed" *)
    reg  [29:0]        copies [0:15];           // by index
    reg  [15:0]        is_copied;               // since reset
    wire               is_written = address_written != 0;
    always @(posedge clk) begin
        if (is_written) copies[index] <= write_value[29:0];
        if (rst)             is_copied        <= 16'd0;
        else if (is_written) is_copied[index] <= 1'b1;
    end
    wire [64 + 8 * REGIONS - 1:0] all_bytes = {64'd0, configuration_bytes};
    wire [31:0] bytes = (index == 4'd0) ? all_bytes[31:0] : (index == 4'd9) ? all_bytes[63:32] : 32'd0;
    assign read_value = is_copied[index] ? {2'b00, copies[index]} : bytes;

    wire unused = &{1'b0, write_value[31:30], fetch_below[REGIONS - 1], data_below[REGIONS - 1], all_bytes,
                     of_fetch_match[15:8], of_fetch_bad[15:8], of_data_match[15:8], of_data_bad[15:8]};
endmodule

`default_nettype wire
