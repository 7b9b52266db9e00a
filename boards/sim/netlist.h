/* SPDX-License-Identifier: Apache-2.0
 *
 * A simulator for mapped ECP5 netlists, as Yosys writes them (write_json) and nextpnr reads them: cells, not RTL.
 *
 * Two values, no delays: all clocks that rise in one call rise together, then what depends on them settles. Only what
 * changes is worked out, which in a chip of this size is a small part of it. Every cell, mode or parameter that the
 * simulator does not know ends it when the netlist is read. What a cell does comes from Yosys' own library where that
 * says (ecp5/cells_sim.v: LUT4, PFUMX, L6MUX21, CCU2C, TRELLIS_FF, TRELLIS_DPR16X4), else from the way Yosys maps onto
 * it (ecp5/brams_map.v, dsp_map.v: DP16KD, MULT18X18D).
 */
#ifndef BOARD_NETLIST_H
#define BOARD_NETLIST_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct netlist;

/* A pin of the top or a cell's port, one bit: the number of its net. */
typedef uint32_t netlist_net;

/* Reads the netlist's top. NULL, and a line on stderr, when it cannot. `damage`: NULL, or the name of a register's bit
 * ("board.chip.x[3]"): the LUT that feeds it gives the opposite for one of its sixteen inputs. */
struct netlist *netlist_read(const char *path, const char *damage);
void netlist_free(struct netlist *netlist);

/* Bit `bit` of the top's port. Ends the program if there is none. */
netlist_net netlist_pin(const struct netlist *netlist, const char *port, uint32_t bit);
/* A parameter of a cell that the simulator leaves to its caller (EHXPLLL), and the net at one of its ports; `absent`
 * and NETLIST_NONE if it has none. Ends the program if there is no such cell. */
enum { NETLIST_NONE = 0 };
uint32_t netlist_parameter(const struct netlist *netlist, const char *cell, const char *name, uint32_t absent);
netlist_net netlist_port(const struct netlist *netlist, const char *cell, const char *port);

bool netlist_get(const struct netlist *netlist, netlist_net net);
/* An input's new value; it takes effect with the next netlist_settle. */
void netlist_set(struct netlist *netlist, netlist_net net, bool value);
/* Rises of the clocks among what was set, then everything that follows from them. False: it does not settle. */
bool netlist_settle(struct netlist *netlist);

#ifdef __cplusplus
}
#endif

#endif
