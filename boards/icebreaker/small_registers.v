// SPDX-License-Identifier: Apache-2.0
//
// Registers of the small system. Those of gpu.def keep their addresses and meaning; the mover's, which no table
// names because the chip has none, are the core's alone:
//
//   HOST   ID (another than the chip's), CONTROL, SUBMIT_TAIL (16 bits), LOAD_ADDRESS and LOAD_DATA (written only),
//          BOOT_STATUS (bit 0), SCRATCH
//   NODE1  HEAD (16 bits), FENCE, ERROR: what the paging node would say; here the program on the core writes them
//   0x800  MOVER_SOURCE      +04 MOVER_TARGET    +08 MOVER_ROW_BYTES  +0c MOVER_ROWS
//     +10  MOVER_PITCHES (source 15:0, target 31:16)                  +14 MOVER_PATTERN
//     +18  MOVER_GO          write: start operation 0 COPY or 1 FILL; read: bit 0 busy, bits 15:8 FAULT of the last
//     +1c  MOVER_FAULT       GPU address of the burst that failed
//
// One access per cycle, the core first; the answer comes in the next cycle. What is not listed reads zero.
`default_nettype none

module small_registers #(
    parameter ADDRESS_BITS = 18            // of the mover's addresses that can be set; BASE gives the rest
) (
    input  wire        clk,
    input  wire        rst,

    input  wire        c_req,              // core: whole words
    input  wire        c_we,
    input  wire [11:0] c_address,
    input  wire [31:0] c_wdata,
    input  wire        h_awvalid,          // wire: as the ports of wire_bridge.v, with its data
    output wire        h_awready,
    input  wire [11:0] h_awaddr,
    input  wire [31:0] h_wdata,
    output reg         h_bvalid,
    input  wire        h_arvalid,
    output wire        h_arready,
    input  wire [11:0] h_araddr,
    output reg         h_rvalid,
    output reg  [31:0] rdata,              // of both

    output reg         core_held,
    output wire        load_write,         // the core's memory
    output wire [11:0] load_address,
    output wire [31:0] load_wdata,

    output reg  [ADDRESS_BITS-1:0] source,
    output reg  [ADDRESS_BITS-1:0] target,
    output reg  [ADDRESS_BITS-1:0] row_bytes,
    output reg  [7:0]  rows,
    output reg  [11:0] source_pitch,
    output reg  [11:0] target_pitch,
    output reg  [31:0] pattern,
    output reg         is_fill,
    output reg         cmd_valid,
    input  wire        cmd_ready,
    input  wire        done_valid,
    input  wire [7:0]  done_fault,
    input  wire [31:0] done_address,
    output reg         busy,
    output wire        failed              // NODE1.ERROR is set
);
`include "gpu_spec.vh"
    localparam [31:0] SMALL_ID = 32'h53525354;  // the letters TSRS
    localparam [11:0] ID = HOST_BASE + {4'd0, HOST_ID_OFFSET}, CONTROL = HOST_BASE + {4'd0, HOST_CONTROL_OFFSET},
                      SUBMIT_TAIL = HOST_BASE + {4'd0, HOST_SUBMIT_TAIL_OFFSET},
                      LOAD_ADDRESS = HOST_BASE + {4'd0, HOST_LOAD_ADDRESS_OFFSET},
                      LOAD_DATA = HOST_BASE + {4'd0, HOST_LOAD_DATA_OFFSET},
                      BOOT_STATUS = HOST_BASE + {4'd0, HOST_BOOT_STATUS_OFFSET},
                      SCRATCH = HOST_BASE + {4'd0, HOST_SCRATCH_OFFSET};
    localparam [11:0] NODE1 = NODE_BASE + 12'h100, MOVER = 12'h800;
    localparam [11:0] SOURCE = MOVER, TARGET = MOVER + 12'h4, ROW_BYTES = MOVER + 12'h8, ROWS = MOVER + 12'hc,
                      PITCHES = MOVER + 12'h10, PATTERN = MOVER + 12'h14, GO = MOVER + 12'h18, FAULT = MOVER + 12'h1c;
    localparam [11:0] NODE1_HEAD = NODE1 + {4'd0, NODE_HEAD_OFFSET},
                      NODE1_FENCE = NODE1 + {4'd0, NODE_FENCE_OFFSET},
                      NODE1_ERROR = NODE1 + {4'd0, NODE_ERROR_OFFSET};

    // ------------------------------------------------------------------ turns
    wire        host_req   = !c_req && (h_awvalid || h_arvalid);
    wire        host_write = host_req && h_awvalid;
    wire        core_write = c_req && c_we;
    wire [11:0] address    = c_req ? c_address : h_awvalid ? h_awaddr : h_araddr;
    assign h_awready = host_req;
    assign h_arready = host_req;
    always @(posedge clk) begin
        h_bvalid <= !rst && host_write;
        h_rvalid <= !rst && host_req && h_arvalid;
    end

    // ------------------------------------------------------------------ written by the host
    reg [15:0] submit_tail;
    reg [11:0] load_at;
    reg [31:0] scratch;
    assign load_write   = host_write && address == LOAD_DATA && core_held;
    assign load_address = load_at;
    assign load_wdata   = h_wdata;
    always @(posedge clk) begin
        if (host_write && address == CONTROL)      core_held   <= !h_wdata[HOST_CONTROL_CORE_RUN_LSB];
        if (host_write && address == SUBMIT_TAIL)  submit_tail <= h_wdata[15:0];
        if (host_write && address == SCRATCH)      scratch     <= h_wdata;
        if (host_write && address == LOAD_ADDRESS) load_at     <= h_wdata[11:0];
        else if (load_write)                                         load_at     <= load_at + 12'd4;
        if (rst) begin
            core_held   <= 1'b1;
            submit_tail <= 16'd0;
        end
    end

    // ------------------------------------------------------------------ written by the core
    reg        is_ready;
    reg [15:0] head;
    reg [31:0] fence;
    reg [7:0]  error;
    assign failed = error != 8'd0;
    always @(posedge clk) begin
        if (core_write)
            case (address)
                BOOT_STATUS: is_ready <= c_wdata[0];
                NODE1_HEAD:  head      <= c_wdata[15:0];
                NODE1_FENCE: fence     <= c_wdata;
                NODE1_ERROR: error     <= c_wdata[7:0];
                SOURCE:      source    <= c_wdata[ADDRESS_BITS-1:0];
                TARGET:      target    <= c_wdata[ADDRESS_BITS-1:0];
                ROW_BYTES:   row_bytes <= c_wdata[ADDRESS_BITS-1:0];
                ROWS:        rows      <= c_wdata[7:0];
                PITCHES:     {target_pitch, source_pitch} <= {c_wdata[27:16], c_wdata[11:0]};
                PATTERN:     pattern   <= c_wdata;
                GO:          is_fill   <= c_wdata[0];
                default: ;
            endcase
        if (core_held) begin
            is_ready <= 1'b0;
            head     <= 16'd0;
            fence    <= 32'd0;
            error    <= 8'd0;
        end
    end

    // ------------------------------------------------------------------ the mover's one command
    reg [7:0]  fault;
    reg [31:0] fault_address;
    always @(posedge clk)
        if (core_held) begin
            cmd_valid <= 1'b0;
            busy      <= 1'b0;
            fault     <= 8'd0;
        end else begin
            if (core_write && address == GO) {cmd_valid, busy} <= 2'b11;
            if (cmd_valid && cmd_ready)      cmd_valid <= 1'b0;
            if (done_valid) begin
                busy          <= 1'b0;
                fault         <= done_fault;
                fault_address <= done_address;
            end
        end

    // ------------------------------------------------------------------ answers
    always @(posedge clk)
        case (address)
            ID:          rdata <= SMALL_ID;
            CONTROL:     rdata <= {31'd0, !core_held} << HOST_CONTROL_CORE_RUN_LSB;
            SUBMIT_TAIL: rdata <= {16'd0, submit_tail};
            BOOT_STATUS: rdata <= {31'd0, is_ready};
            SCRATCH:     rdata <= scratch;
            NODE1_HEAD:                    rdata <= {16'd0, head};
            NODE1_FENCE:                   rdata <= fence;
            NODE1_ERROR:                   rdata <= {24'd0, error};
            GO:                            rdata <= {16'd0, fault, 7'd0, busy};
            FAULT:                         rdata <= fault_address;
            default:                       rdata <= 32'd0;
        endcase

`ifdef GPU_ASSERT
    always @(posedge clk)
        if (!rst) assert (!(core_write && address == GO && busy && !done_valid));
`endif
endmodule
`default_nettype wire
