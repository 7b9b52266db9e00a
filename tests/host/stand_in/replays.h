/* SPDX-License-Identifier: Apache-2.0
 *
 * What `tessera replay` is asked over the stand-in: workloads and options, for test_commands.c.
 */
#ifndef TESTS_STAND_IN_REPLAYS_H
#define TESTS_STAND_IN_REPLAYS_H

/* For replay, whose device takes buffers and never shows what it does with them: what is asked of it, written to it and
 * reported. */
static const char workload[] =
    "{\"name\":\"small\",\"slots\":3,\"segments\":[{\"size\":81920}],\"allocs\":[{\"size\":9000},{\"size\":40000,"
    "\"temp\":true},"
    "{\"size\":20000,\"init\":\"undef\"}],\"buffers\":[{\"len\":300,\"times\":[1,2.5],\"patches\":[[0,0,8,0],[1,1,8,1],"
    "[2,2,100,1]]},{\"len\":64,\"patches\":[[0,2,0,0]]}]}";

/* Slots, segments: one, two in both orders, apertures, too many, too large. */
static const char *const replay_segments[] = {
    "3,\"segments\":[{\"size\":65536}]",
    "64,\"segments\":[{\"size\":16777216}]",
    "3,\"segments\":[{\"size\":16781312}]",
    "3,\"segments\":[{\"size\":65536},{\"size\":131072}]",
    "3,\"segments\":[{\"size\":131072},{\"size\":65536}]",
    "3,\"segments\":[{\"size\":131072},{\"size\":131072}]",
    "3,\"segments\":[{\"size\":16777216},{\"size\":397312}]",
    "3,\"segments\":[{\"size\":131072},{\"size\":819200,\"kind\":\"aperture\"}]",
    "3,\"segments\":[{\"size\":131072},{\"size\":823296,\"kind\":\"aperture\"}]",
    "3,\"segments\":[{\"size\":131072},{\"size\":40960,\"kind\":\"aperture\"},{\"size\":65536}]",
    "3,\"segments\":[{\"size\":131072},{\"size\":757760,\"kind\":\"aperture\"},{\"size\":65536}]",
    "3,\"segments\":[{\"size\":131072},{\"size\":753664,\"kind\":\"aperture\"},{\"size\":65536}]",
    "3,\"segments\":[{\"size\":131072},{\"size\":40960,\"kind\":\"aperture\"},{\"size\":65536,\"kind\":"
    "\"aperture\"}]",
    "3,\"segments\":[{\"size\":131072},{\"size\":40960},{\"size\":65536}]",
    "64,\"segments\":[{\"size\":131072},{\"size\":40960,\"kind\":\"aperture\"}]"};

/* Its options at both ends, and after them: what is refused says the bounds. */
static const char *const replay_bounds[] = {
    "--scale 1 --limit 1 --ahead 1 --work 1 --seed 0 --latency 1 --stall 0 --max-cycles 0",
    "--scale 1048576 --limit 4294967295 --ahead 8 --work 4294967295 --seed 4294967295 --latency 10000 --stall 90",
    "--model --split-pages 1 --max-cycles 18446744073709551615",
    "--model --split-pages 1024 --force-split --policy literal",
    "--model --split-pages x",
    "--model --split-pages 0",
    "--scale x",
    "--limit x",
    "--ahead x",
    "--work x",
    "--seed x",
    "--latency x",
    "--stall x",
    "--max-cycles x",
    "--policy best",
    "--allocations 16384 --contexts 256",
    "--allocations 16385",
    "--contexts 0",
    "--model=1",
    "--quick",
    "--report"};

#endif
