/* SPDX-License-Identifier: Apache-2.0
 *
 * What all of the library stands on: errors in words, and the transport's verbs.
 */
#include <stdarg.h>
#include <stdio.h>

#include "gpu_names.h"
#include "lib/tessera_internal.h"

/* ------------------------------------------------------------------ errors */

const char *tessera_status_name(int status)
{
    switch (status) {
    case TESSERA_LINK: return "TESSERA_LINK";
    case TESSERA_NOT_A_GPU: return "TESSERA_NOT_A_GPU";
    case TESSERA_ABI: return "TESSERA_ABI";
    case TESSERA_FIRMWARE: return "TESSERA_FIRMWARE";
    case TESSERA_BOOT: return "TESSERA_BOOT";
    case TESSERA_PANIC: return "TESSERA_PANIC";
    case TESSERA_TIMED_OUT: return "TESSERA_TIMED_OUT";
    case TESSERA_NO_MEMORY: return "TESSERA_NO_MEMORY";
    case TESSERA_STREAM_FULL: return "TESSERA_STREAM_FULL";
    case TESSERA_MISUSE: return "TESSERA_MISUSE";
    default: return status >= 0 ? status_name((uint32_t)status) : "unknown";
    }
}

const char *tessera_message(const struct tessera *tessera) { return tessera->message; }

int tessera_fail(struct tessera *tessera, int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(tessera->message, sizeof tessera->message, format, arguments);
    va_end(arguments);
    return status;
}

int link_result(struct tessera *tessera, int result, const char *verb)
{
    if (result == TRANSPORT_OK) return TESSERA_OK;
    const char *what = result == TRANSPORT_TIMEOUT ? "the device gave no answer in time"
                       : result == TRANSPORT_DEAD  ? "the device has stopped"
                                                   : "the link failed";
    return tessera_fail(tessera, TESSERA_LINK, "%s: %s (%s)", verb, what,
                        tessera->transport->error[0] != 0 ? tessera->transport->error : "no details");
}

/* ------------------------------------------------------------------ the transport's verbs */

int tessera_register_read(struct tessera *tessera, uint32_t offset, uint32_t *value)
{
    struct transport *transport = tessera->transport;
    return link_result(tessera, transport->register_read(transport->context, offset, value), "register read");
}

int tessera_register_write(struct tessera *tessera, uint32_t offset, uint32_t value)
{
    struct transport *transport = tessera->transport;
    return link_result(tessera, transport->register_write(transport->context, offset, value), "register write");
}

int tessera_features(struct tessera *tessera, uint32_t *features)
{
    return tessera_register_read(tessera, MEMORY_FEATURES_OFFSET, features);
}

int link_read(struct tessera *tessera, uint32_t address, void *data, size_t bytes)
{
    struct transport *transport = tessera->transport;
    return link_result(tessera, transport->memory_read(transport->context, address, data, bytes), "memory read");
}

int link_write(struct tessera *tessera, uint32_t address, const void *data, size_t bytes)
{
    struct transport *transport = tessera->transport;
    return link_result(tessera, transport->memory_write(transport->context, address, data, bytes), "memory write");
}

struct transport *tessera_transport(struct tessera *tessera) { return tessera->transport; }
