// SPDX-License-Identifier: Apache-2.0
//
// Writes every input and output of node_bench.v, cycle by cycle, for node_replay.v (Icarus) to repeat.
#ifndef NODE_RECORD_H
#define NODE_RECORD_H

#include <cstdint>
#include <cstdio>

#include "Vnode_bench.h"

static inline void record_cycle(FILE *file, const Vnode_bench *top)
{
    // Inputs.
    fprintf(file, "%llx %llx %llx %llx %llx %llx ", (unsigned long long)top->rst, (unsigned long long)top->reg_write,
            (unsigned long long)top->reg_offset, (unsigned long long)top->reg_wdata, (unsigned long long)top->c_req,
            (unsigned long long)top->c_we);
    fprintf(file, "%llx %llx %llx %llx %llx %llx ", (unsigned long long)top->c_be, (unsigned long long)top->c_address,
            (unsigned long long)top->c_wdata, (unsigned long long)top->b_araddr, (unsigned long long)top->b_arlen,
            (unsigned long long)top->b_arvalid);
    fprintf(file, "%llx %llx %llx %llx %llx %llx ", (unsigned long long)top->b_awaddr, (unsigned long long)top->b_awlen,
            (unsigned long long)top->b_awvalid, (unsigned long long)top->b_wdata, (unsigned long long)top->b_wstrb,
            (unsigned long long)top->b_wlast);
    fprintf(file, "%llx %llx %llx %llx %llx %llx ", (unsigned long long)top->b_wvalid,
            (unsigned long long)top->m_arready, (unsigned long long)top->m_rdata, (unsigned long long)top->m_rresp,
            (unsigned long long)top->m_rlast, (unsigned long long)top->m_rvalid);
    fprintf(file, "%llx %llx %llx %llx ", (unsigned long long)top->m_awready, (unsigned long long)top->m_wready,
            (unsigned long long)top->m_bresp, (unsigned long long)top->m_bvalid);
    // Outputs.
    fprintf(file, "%llx %llx %llx %llx %llx %llx ", (unsigned long long)top->irq, (unsigned long long)top->b_arready,
            (unsigned long long)top->b_rdata, (unsigned long long)top->b_rresp, (unsigned long long)top->b_rlast,
            (unsigned long long)top->b_rvalid);
    fprintf(file, "%llx %llx %llx %llx %llx %llx ", (unsigned long long)top->b_awready,
            (unsigned long long)top->b_wready, (unsigned long long)top->b_bresp, (unsigned long long)top->b_bvalid,
            (unsigned long long)top->m_araddr, (unsigned long long)top->m_arlen);
    fprintf(file, "%llx %llx %llx %llx %llx %llx ", (unsigned long long)top->m_arsize,
            (unsigned long long)top->m_aruser, (unsigned long long)top->m_arvalid, (unsigned long long)top->m_awaddr,
            (unsigned long long)top->m_awlen, (unsigned long long)top->m_awsize);
    fprintf(file, "%llx %llx %llx %llx %llx %llx ", (unsigned long long)top->m_awuser,
            (unsigned long long)top->m_awvalid, (unsigned long long)top->m_wstrb, (unsigned long long)top->m_wlast,
            (unsigned long long)top->m_wvalid, (unsigned long long)top->m_bready);
    fprintf(file, "%llx %llx %llx %llx %llx %llx ", (unsigned long long)top->probe_begin,
            (unsigned long long)top->probe_end, (unsigned long long)top->node_arvalid,
            (unsigned long long)top->node_awvalid, (unsigned long long)top->segment1_beats,
            (unsigned long long)top->segment2_beats);
    fprintf(file, "%llx %llx ", (unsigned long long)top->system_beats, (unsigned long long)top->m_wdata);
    fprintf(file, "\n");
}

#endif
