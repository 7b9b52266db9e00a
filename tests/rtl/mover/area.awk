# SPDX-License-Identifier: Apache-2.0
# The lines of out/area-engine.txt (make area-engine) as JSON objects.
{
    printf "%s{\"parts\": \"%s\", \"lut4\": %d, \"ccu2c\": %d, ", (NR > 1 ? ",\n" : ""), $1, $3, $5
    printf "\"flip_flops\": %d, \"lutrams\": %d, \"block_rams\": %d, \"multipliers\": %d}", $7, $9, $12, $14
}
END { print "" }
