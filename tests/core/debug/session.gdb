# SPDX-License-Identifier: Apache-2.0
# What session.sh lets gdb-multiarch do; it checks the lines this prints.
set pagination off
set confirm off
set width 0
set print frame-arguments none
printf "START pc %u\n", $pc
printf "MISA %x\n", $misa
hbreak main
continue
printf "MAIN %d\n", $pc == (unsigned) &main
printf "MTVEC %d\n", $mtvec != 0
set $before = $pc
stepi
printf "STEPI %d\n", $pc != $before && $pc < $before + 200
set $t6 = 0x12345678
printf "REGISTER %x\n", $t6
set $here = $pc
set $code = *(unsigned *) $pc
set var *(unsigned *) $pc = 0x01f02023
stepi
printf "DENIED %d cause %u address %u\n", $pc == (unsigned) &trap && $mepc == $here, $mcause, $mtval
set var *(unsigned *) $here = $code
set $pc = $here
set $keep = *(unsigned *) 0xfffc
set var *(unsigned *) 0xfffc = 0xcafe1234
printf "MEMORY %x\n", *(unsigned *) 0xfffc
set var *(unsigned *) 0xfffc = $keep
printf "ID %x\n", *(unsigned *) 0x40000000
break host_peek
continue
printf "PEEK\n"
backtrace
printf "LARGE %d\n", sizeof(*gpu.manager.residency.world.map.link@1024)
print *gpu.manager.residency.world.map.link@1024
info functions [.]lto_priv[.]
next
next
printf "NEXT %d\n", $minstret > 0
delete
watch -location gpu.manager.host.submit_head
continue
printf "HEAD %d\n", gpu.manager.host.submit_head
delete
printf "RUN\n"
continue
printf "STOPPED %d\n", $minstret > 0
x/2i $pc
info registers
kill
