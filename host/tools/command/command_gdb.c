/* SPDX-License-Identifier: Apache-2.0
 *
 * tessera gdb: `run` of a scene, with a gdb server in front of the simulated GPU and its control core stopped
 * before the first instruction. When gdb lets it go, the scene is drawn; when gdb stops it, everything waits.
 */
#include "tools/cli/options.h"

int command_gdb(const struct program_options *options)
{
    struct program_options debugged = *options;
    debugged.only_this_run = true;
    debugged.platform.is_debugged = true;
    debugged.platform.gdb_port = (uint16_t)options->port;
    return command_run(&debugged);
}
