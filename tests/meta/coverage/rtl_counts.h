// SPDX-License-Identifier: Apache-2.0
// Put into the C++ of every design that is to count (verilator.sh): one file for all designs of a top in a program, one
// after the other.
#include "verilated_cov.h"

#include <atomic>
#include <cstdlib>
#include <string>

#include <unistd.h>

template <std::size_t N> static uint32_t *counts_before(const std::atomic<uint32_t> (&)[N])
{
    static uint32_t counts[N];
    return counts;
}

template <std::size_t N> static void take_counts(std::atomic<uint32_t> (&counts)[N])
{
    for (std::size_t i = 0; i < N; i++) counts[i] = counts_before(counts)[i];
}

template <std::size_t N>
static void keep_counts(const std::atomic<uint32_t> (&counts)[N], VerilatedContext *context, const char *top)
{
    const char *folder = std::getenv("RTL_COVERAGE");
    for (std::size_t i = 0; i < N; i++) counts_before(counts)[i] = counts[i];
    if (folder != nullptr) {
        const std::string file = std::string(folder) + "/" + top + "-" + std::to_string(getpid()) + ".dat";
        context->coveragep()->write(file.c_str());
    }
    context->coveragep()->clear();
}
