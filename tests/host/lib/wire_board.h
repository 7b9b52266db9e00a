/* SPDX-License-Identifier: Apache-2.0
 *
 * A board at the other end of a wire, which speaks the protocol of docs/boards.md word by word and counts, for tests of
 * host/lib/device/transport_wire.c and of `tessera console`. It can end, or fall silent, after so many commands.
 */
#ifndef TESTS_WIRE_BOARD_H
#define TESTS_WIRE_BOARD_H

#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gpu_spec.h"

enum { MEMORY_BYTES = 0x6000, REGISTERS = 0x800, BOARD_ID = 0x44425354 };
enum board_end { END_NEVER, END_CLOSED, END_SILENT, END_HALF }; /* HALF: of an answer, then silence */

static struct board {
    int listener, client;
    pthread_t thread;
    uint32_t registers[REGISTERS], memory[MEMORY_BYTES / 4];
    uint32_t polls_until_ready, irq_after; /* reads of IRQ_STATUS until it is raised, 0: never */
    uint32_t cycles_each;                  /* cycles that pass with every read of the counter */
    uint32_t ends_after;                   /* commands that are carried out; then: */
    enum board_end end;
    uint32_t naps_after; /* commands; then it looks at nothing for a while; 0: never */
    uint32_t reads, writes, words, irq_reads, bad, longest;
} board;

static inline bool take(uint8_t *bytes, size_t count)
{
    for (size_t got = 0; got < count;) {
        ssize_t more = read(board.client, bytes + got, count - got);
        if (more <= 0) return false;
        got += (size_t)more;
    }
    return true;
}

static inline uint32_t word_of(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The word at an address of the chip; NULL: there is none. */
static inline uint32_t *place(uint32_t address)
{
    if (address >= 0x80000000u && address - 0x80000000u < MEMORY_BYTES)
        return &board.memory[(address - 0x80000000u) / 4];
    return address / 4 < REGISTERS ? &board.registers[address / 4] : NULL;
}

static inline void before_read(uint32_t address)
{
    uint64_t cycles =
        (uint64_t)board.registers[CORE_CYCLE_HI_OFFSET / 4] << 32 | board.registers[CORE_CYCLE_LO_OFFSET / 4];
    if (address == BOARD_STATUS_OFFSET && board.polls_until_ready > 0 && --board.polls_until_ready == 0)
        board.registers[address / 4] = FIELD_PUT(1, BOARD_STATUS_MEMORY_READY);
    if (address == HOST_IRQ_STATUS_OFFSET && ++board.irq_reads == board.irq_after) board.registers[address / 4] = 4;
    if (address == CORE_CYCLE_LO_OFFSET) {
        cycles += board.cycles_each;
        board.registers[CORE_CYCLE_LO_OFFSET / 4] = (uint32_t)cycles;
        board.registers[CORE_CYCLE_HI_OFFSET / 4] = (uint32_t)(cycles >> 32);
    }
}

/* Until the other side closes, or as `end` says. */
static inline void board_serve(void)
{
    uint8_t head[6], bytes[4], answer[4 * 256];
    while (take(head, sizeof head)) {
        uint32_t address = word_of(head + 2) << 2, count = head[1];
        bool is_end = board.end != END_NEVER && board.reads + board.writes == board.ends_after;
        if (is_end && board.end == END_CLOSED) break;
        if (board.naps_after != 0 && board.reads + board.writes == board.naps_after) usleep(300000);
        if (count > board.longest) board.longest = count;
        board.words += count;
        if (head[0] == 1) board.writes++;
        else if (head[0] == 2) board.reads++;
        else board.bad++;
        for (uint32_t i = 0; i < count; i++, address += 4) {
            uint32_t *word = place(address);
            if (word == NULL) board.bad++;
            if (head[0] == 1 && take(bytes, 4) && word != NULL) *word = word_of(bytes);
            if (head[0] != 2) continue;
            before_read(address);
            for (uint32_t k = 0; k < 4; k++) answer[4 * i + k] = (uint8_t)(word != NULL ? *word >> (24 - 8 * k) : 0);
        }
        size_t answered = !is_end ? 4 * count : board.end == END_HALF ? 4 * count - 2 : 0;
        if (head[0] == 2 && write(board.client, answer, answered) != (ssize_t)answered) break;
    }
    close(board.client);
}

static inline void *board_main(void *context)
{
    board.client = accept(board.listener, NULL, NULL);
    board_serve();
    return context;
}

/* Serves one connection on a port of this machine, which it returns; 0: it cannot. */
static inline int board_listen(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    board.registers[BOARD_ID_OFFSET / 4] = BOARD_ID;
    board.registers[BOARD_SYSTEM_BYTES_OFFSET / 4] = MEMORY_BYTES;
    board.listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(board.listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(board.listener, 1) != 0 ||
        getsockname(board.listener, (struct sockaddr *)&address, &length) != 0 ||
        pthread_create(&board.thread, NULL, board_main, NULL) != 0)
        return 0;
    return ntohs(address.sin_port);
}

static inline void board_join(void)
{
    pthread_join(board.thread, NULL);
    close(board.listener);
}

#endif
