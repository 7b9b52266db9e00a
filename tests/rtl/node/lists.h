// SPDX-License-Identifier: Apache-2.0
//
// COPY_LIST and MAP_LIST of node 1 against the model: random lists beside other work of both nodes, a bad entry at
// every index, lists and pages past the end of memory, RESET in the middle, and what a page costs.
#ifndef NODE_LISTS_H
#define NODE_LISTS_H

#include "pair.h"

static inline void append(packet &all, const packet &more) { all.insert(all.end(), more.begin(), more.end()); }

static const uint32_t SYSTEM_BASE = 0x80000000, SYSTEM_PAGES = generator::SYSTEM_PAGES;

struct page_list {
    uint32_t address;            // bus address of entry 0
    std::vector<uint32_t> entry; // as in memory
};

// Both memories get the list; entries that lie past the end of memory are lost.
static void put_list(pair_of &p, const page_list &list)
{
    for (uint32_t i = 0; i < list.entry.size(); i++)
        for (uint32_t lane = 0; lane < 4 && list.address + 4 * i + lane < p.system.size(); lane++)
            p.system[list.address + 4 * i + lane] = p.hard.memory.system[list.address + 4 * i + lane] =
                (uint8_t)(list.entry[i] >> 8 * lane);
}

static void set_bound(pair_of &p, uint32_t pages)
{
    p.hard.write(1, NODE_PAGE_BOUND_OFFSET, p.model.node[1].page_bound = pages);
    p.expect("PAGE_BOUND", p.hard.read(1, NODE_PAGE_BOUND_OFFSET), pages);
}

// A number that is no page below the bound.
static uint32_t bad_entry(random_source &random, uint32_t bound)
{
    switch (random.below(5)) {
    case 0: return bound;
    case 1: return bound + random.below(1000);
    case 2: return 0x80000000u | random.below(bound);
    case 3: return 1u << (19 + random.below(13)) | random.below(bound); // right in its low bits
    default: return 0xffffffff;
    }
}

enum list_kind { LIST_IN, LIST_OUT, LIST_MAP };

static packet list_packet(list_kind kind, uint32_t place, uint32_t extent, uint32_t address, bool coherent)
{
    if (kind == LIST_MAP)
        return {PKT_MAP_LIST | (uint32_t)coherent << PKT_MAP_LIST_COHERENT_LSB, place, extent, SYSTEM_BASE + address};
    return {PKT_COPY_LIST | (uint32_t)(kind == LIST_OUT) << PKT_COPY_LIST_TO_SYSTEM_LSB, place, extent,
            SYSTEM_BASE + address};
}

// Lists in page 0 and at the end of system memory, which nothing writes; node 0 busy on pages of its own in half of the
// cases.
static void list_stream(pair_of &p)
{
    random_source &random = p.hard.random;
    generator g(random, 1), other(random, 0);
    p.show_aperture(g), p.show_aperture(other);
    const bool is_busy = random.chance(50), has_fault = random.chance(40);
    const unsigned mine = is_busy ? 8 : 15; // system pages from 1 to before this are node 1's
    for (unsigned page = 0; page < 8 + SYSTEM_PAGES; page++) {
        bool is_others = is_busy && (page == 3 || page == 7 || page >= 8 + mine);
        (is_others ? other : g).may_touch[page] = page != 8 && page != 8 + 15;
    }
    g.may_map = other.may_map = false;
    set_bound(p, mine);
    packet words;
    const unsigned count = 1 + random.below(4), bad_packet = has_fault ? random.below(count) : count;
    uint32_t next = 16 * random.below(4);
    bool is_exact = true; // memory after it is defined to the byte
    std::set<unsigned> writable;
    for (unsigned i = 0; i < count; i++) {
        const list_kind kind = (list_kind)random.below(3);
        const unsigned segment = random.below(2), room = is_busy ? 3 : 4;
        uint32_t place = random.below(room * 4096), extent = random.below(room * 4096 - place + 1);
        if (random.chance(30)) place &= ~4095u, extent = (room - place / 4096) * 4096;
        uint32_t pages = (extent + 4095) / 4096;
        place += 0x10000000u * (segment + 1);
        if (kind == LIST_MAP) place = random.below(16), extent = pages = random.below(16 - place + 1);
        page_list list = {next + 4 * random.below(4), {}};
        for (unsigned k = 0; k < pages; k++) list.entry.push_back(1 + random.below(mine - 1));
        if (i == bad_packet && pages != 0) {
            switch (random.below(4)) {
            case 0: // the list leaves system memory
                list.address = SYSTEM_PAGES * 4096 - 4 * random.below(pages);
                for (unsigned page = 0; page < 4; page++) writable.insert(page), writable.insert(4 + page);
                is_exact = false;
                break;
            case 1: // a page below the bound that is not there
                if (kind == LIST_MAP || is_busy) break;
                set_bound(p, 40);
                list.entry[random.below(pages)] = SYSTEM_PAGES + random.below(24);
                is_exact = false;
                break;
            default: list.entry[random.below(pages)] = bad_entry(random, mine);
            }
        }
        put_list(p, list);
        next = (list.address & 4095) + 4 * pages + 16;
        for (uint32_t entry : list.entry)
            if (entry < SYSTEM_PAGES) writable.insert(8 + entry);
        for (unsigned page = 0; page < room; page++) writable.insert(4 * segment + page);
        for (unsigned k = random.below(3); k > 0; k--) append(words, g.ring());
        append(words, list_packet(kind, place, extent, list.address, random.chance(50)));
        if (kind == LIST_MAP && i < bad_packet)
            for (unsigned k = 0; k < pages; k++) g.frames[place + k] = list.entry[k];
        append(words, g.fence(random.next(), random.chance(50)));
    }
    p.put(1, p.grant_all(g, true, true));
    p.put(1, p.run(1, words, true));
    packet work;
    if (is_busy) {
        other.may_use_system = false;
        for (uint8_t i = 0; i < 16; i++) other.frames[i] = 0; // never through the aperture
        p.put(0, p.grant_all(other, true, true));
        for (unsigned i = 0; i < 12; i++) append(work, other.fill());
        p.put(0, p.run(0, work, true));
        p.doorbell(0);
    }
    p.doorbell(1);
    p.run_model();
    if (!p.settle(3)) return;
    p.compare_registers(1);
    const bool has_failed = p.model.node[1].error != 0;
    if (!has_failed || (p.model.node[1].error == FAULT_BAD_PAGE && is_exact)) p.compare_memory();
    else {
        for (unsigned page : g.written) writable.insert(page);
        for (unsigned page : other.written) writable.insert(page);
        p.adopt_memory(writable);
        for (uint32_t i = 0; i < 16; i++) {
            p.expect("aperture entry", p.read_entry(i), p.aperture[i]);
        }
    }
    p.reset_node(1);
    if (is_busy) p.reset_node(0);
}

// A list of every length up to 4 pages (copies) or 9 (maps), one bad entry at every index of it: what is before it is
// done, the entry's index is reported, nothing else has changed anywhere.
static void bad_entries(pair_of &p, unsigned kind_number)
{
    const list_kind kind = (list_kind)kind_number;
    const uint32_t bound = 12;
    set_bound(p, bound);
    for (uint32_t pages = 1; pages <= (kind == LIST_MAP ? 9u : 4u) && !p.failures; pages++)
        for (uint32_t bad = 0; bad < pages && !p.failures; bad++) {
            page_list list = {4 * p.hard.random.below(200), {}};
            for (uint32_t i = 0; i < pages; i++) list.entry.push_back(1 + p.hard.random.below(bound - 1));
            list.entry[bad] = bad_entry(p.hard.random, bound);
            put_list(p, list);
            const uint32_t place = kind == LIST_MAP ? p.hard.random.below(16 - pages + 1) : 0x20000000;
            p.put(1, list_packet(kind, place, kind == LIST_MAP ? pages : pages * 4096, list.address, true));
            p.put(1, {PKT_FILL, 0x10000000, 64, 0x12345678}); // never executed
            p.doorbell(1);
            p.run_model();
            if (!p.settle(2)) return;
            p.expect("fault of a bad entry", p.model.node[1].error, FAULT_BAD_PAGE);
            p.expect("its index", p.hard.read(1, NODE_ERROR_ADDRESS_OFFSET), bad);
            p.compare_registers(1);
            p.compare_memory();
            p.reset_node(1);
        }
}

// RESET at any moment of a walk: the bus falls silent at once, and the node works again.
static void cut_list(pair_of &p)
{
    random_source &random = p.hard.random;
    const list_kind kind = (list_kind)random.below(3);
    page_list list = {4 * random.below(100), {}};
    set_bound(p, SYSTEM_PAGES);
    const uint32_t pages = kind == LIST_MAP ? 16 : 4;
    for (uint32_t i = 0; i < pages; i++) list.entry.push_back(1 + random.below(SYSTEM_PAGES - 1));
    put_list(p, list);
    p.put(1, list_packet(kind, kind == LIST_MAP ? 0 : 0x10000000, kind == LIST_MAP ? 16 : 16384, list.address, false));
    p.doorbell(1);
    for (unsigned i = random.below(random.chance(50) ? 120 : 1500); i > 0; i--) p.hard.tick();
    p.reset_node(1);
    for (unsigned i = 0; i < 100; i++) p.hard.tick();
    if (!p.hard.memory.is_quiet()) p.fail("traffic after RESET", 1, 0);
    p.expect("STATUS after RESET", p.hard.read(1, NODE_STATUS_OFFSET), 0);
    std::set<unsigned> writable;
    for (unsigned page = 0; page < 4; page++) writable.insert(page);
    for (uint32_t entry : list.entry)
        if (kind == LIST_OUT) writable.insert(8 + entry);
    p.adopt_memory(writable);
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t is = p.read_entry(i);
        if (is != p.aperture[i] && (kind != LIST_MAP || FIELD_GET(is, APERTURE_ENTRY_FRAME) != list.entry[i]))
            p.fail("aperture entry", is, list.entry[i]);
        p.aperture[i] = is;
    }
    p.put(1, list_packet(LIST_IN, 0x20000000, 4097, list.address, false));
    p.doorbell(1);
    p.run_model();
    if (!p.settle(2)) return;
    p.compare_registers(1);
    p.compare_memory();
}

// Cycles that one more page of a list costs: the copy of 4 KB itself and hardly more; a mapping 20 at most.
static void list_rates(pair_of &p)
{
    unsigned cycles[2][2] = {};
    p.hard.memory.latency = 16, p.hard.memory.jitter = 0, p.hard.memory.stall_percent = 0;
    set_bound(p, SYSTEM_PAGES);
    page_list list = {0, {}};
    for (uint32_t i = 0; i < 16; i++) list.entry.push_back(1 + i * 7 % 15);
    put_list(p, list);
    for (unsigned kind = 0; kind < 2; kind++)
        for (unsigned more = 0; more < 2; more++) {
            const uint32_t pages = kind == 0 ? 1 + 3 * more : 4 + 12 * more;
            p.put(1, list_packet(kind == 0 ? LIST_IN : LIST_MAP, kind == 0 ? 0x10000000 : 0,
                                 kind == 0 ? pages * 4096 : pages, 0, false));
            p.doorbell(1);
            for (; p.hard.read(1, NODE_HEAD_OFFSET) != p.ahead[1] && cycles[kind][more] < 20000; cycles[kind][more]++)
                p.hard.tick();
            p.settle(2);
            p.run_model();
            p.compare_registers(1);
        }
    p.compare_memory();
    const unsigned copy = (cycles[0][1] - cycles[0][0]) / 3, map = (cycles[1][1] - cycles[1][0]) / 12;
    printf("a page of a list: copied in %u cycles (data 512), mapped in %u\n", copy, map);
    if (copy > 520) p.fail("cycles of a page copied", copy, 520);
    if (map > 20) p.fail("cycles of a page mapped", map, 20);
}

#endif
