#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# workload.sh OUTPUT_DIR CPI_LIMIT RUNNER...: the project's own benchmark on the core. The result is compared with
# the host's, the cycles per instruction (thousandths) with the limit.
set -e
here=$(cd "$(dirname "$0")" && pwd); output=$1; limit=$2; shift 2
mkdir -p "$output"
gcc -O2 -Wall -Wextra -o "$output/workload-host" "$here/program/workload.c"
riscv64-unknown-elf-gcc -march=rv32im -O2 -misa-spec=2.2 -mabi=ilp32 --specs=picolibc.specs -nostartfiles \
    -Wall -Wextra -Wl,--no-warn-rwx-segments -DEXPECTED="$("$output/workload-host")" -DCPI_LIMIT="$limit" \
    -I"$here/program" -T "$here/program/link.ld" -o "$output/workload.elf" "$here/program/start.S" "$here/program/workload.c"
"$@" "$output/workload.elf"
