// SPDX-License-Identifier: Apache-2.0
//
// Both ports of the core in core_caches.v, with caches of four sets, and the memory behind them: the code, then the
// data, each of BYTES, which addresses repeat. In a cycle: before() gives grants and answers, which follow from
// registers alone; after() takes what the core accepted of them, and the edge.
#ifndef CACHED_PORTS_H
#define CACHED_PORTS_H

#include <cstdint>
#include <cstring>
#include <vector>

#include "Vcore_caches.h"

class cached_ports
{
  public:
    explicit cached_ports(uint32_t bytes) : bytes_(bytes), memory_(2 * bytes) {}
    ~cached_ports() { delete top_; }
    cached_ports(const cached_ports &) = delete;
    cached_ports &operator=(const cached_ports &) = delete;

    void reset(const void *code, const void *data)
    {
        memcpy(memory_.data(), code, bytes_);
        memcpy(memory_.data() + bytes_, data, bytes_);
        i_open_ = d_open_ = false;
        is_reading_ = is_writing_ = is_answered_ = false;
        top_->rst = 1;
        for (int i = 0; i < 3; i++) {
            idle();
            top_->clk = 0;
            top_->eval();
            edge();
        }
        top_->rst = 0;
    }

    template <class chance> void before(chance stalls)
    {
        idle();
        memory(stalls);
        top_->clk = 0;
        top_->eval();
        if (top_->i_rvalid) i_open_ = false;
        if (top_->d_rvalid) d_open_ = false;
        // Nothing is accepted beside an open access, so that a bus error, which comes at once, keeps the order.
        i_may_ = top_->i_gnt && !i_open_;
        d_may_ = top_->d_gnt && !d_open_;
    }
    bool i_gnt() const { return i_may_; }
    bool d_gnt() const { return d_may_; }
    bool i_rvalid() const { return top_->i_rvalid; }
    bool d_rvalid() const { return top_->d_rvalid; }
    uint32_t i_rdata() const { return top_->i_rdata; }
    uint32_t d_rdata() const { return top_->d_rdata; }
    bool is_open() const { return d_open_; }

    void after(bool fetches, uint32_t i_address, bool accesses, bool writes, uint32_t d_address, uint32_t be,
               uint32_t wdata, bool flush)
    {
        top_->i_req = fetches, top_->i_address = i_address % bytes_;
        top_->d_req = accesses, top_->d_we = writes, top_->d_address = bytes_ + d_address % bytes_;
        top_->d_be = be, top_->d_wdata = wdata;
        top_->flush = flush;
        i_open_ = i_open_ || fetches;
        d_open_ = d_open_ || accesses;
        top_->eval();
        take();
        edge();
    }

    // Everything back into memory, the data's part of which is copied to `data`. False: it does not end.
    bool flush(void *data)
    {
        bool is_over = false;
        for (int i = 0; i < 5000 && !is_over; i++) {
            before([] { return false; });
            is_over = i > 2 && !top_->busy;
            after(false, 0, false, false, 0, 0, 0, i == 0);
        }
        memcpy(data, memory_.data() + bytes_, bytes_);
        return is_over;
    }

  private:
    static constexpr uint32_t kBase = 0x10040000;

    void idle() { top_->i_req = top_->d_req = top_->flush = top_->b_arvalid = top_->b_awvalid = top_->b_wvalid = 0; }
    void edge()
    {
        top_->clk = 1;
        top_->eval();
    }
    // What memory says in this cycle.
    template <class chance> void memory(chance stalls)
    {
        top_->m_arready = !is_reading_ && !stalls();
        top_->m_awready = !is_writing_ && !stalls();
        top_->m_wready = is_writing_ && !is_answered_ && !stalls();
        top_->m_rvalid = is_reading_ && !stalls();
        top_->m_rlast = read_left_ == 1;
        if (is_reading_) memcpy(&top_->m_rdata, memory_.data() + read_at_, 8);
        top_->m_bvalid = is_answered_ && !stalls();
    }
    // What the master does with it.
    void take()
    {
        if (top_->m_rvalid) read_at_ += 8, is_reading_ = --read_left_ != 0;
        if (top_->m_arvalid && top_->m_arready)
            is_reading_ = true, read_at_ = top_->m_araddr - kBase, read_left_ = top_->m_arlen + 1u;
        if (top_->m_bvalid) is_writing_ = is_answered_ = false;
        if (top_->m_wvalid && top_->m_wready) {
            memcpy(memory_.data() + write_at_, &top_->m_wdata, 8);
            write_at_ += 8;
            is_answered_ = top_->m_wlast;
        }
        if (top_->m_awvalid && top_->m_awready) is_writing_ = true, write_at_ = top_->m_awaddr - kBase;
    }

    uint32_t bytes_, read_at_ = 0, read_left_ = 0, write_at_ = 0;
    std::vector<uint8_t> memory_;
    bool i_open_ = false, d_open_ = false, i_may_ = false, d_may_ = false;
    bool is_reading_ = false, is_writing_ = false, is_answered_ = false;
    Vcore_caches *top_ = new Vcore_caches;
};

#endif
