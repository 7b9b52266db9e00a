#!/bin/sh
cd /tmp/place
R=${1:-8}; F=${2:-90}; S=${3:-1}
yosys -q -p "read_verilog -DREGIONS=$R -Icore top.v core/*.v; synth_ecp5 -abc9 -top top -json top$R.json; tee -o stat$R.txt stat" >yosys.log 2>&1 || { tail -5 yosys.log; exit 1; }
grep -E "LUT4|TRELLIS_FF|CCU2C|DP16|MULT|DPR16|PFUMX" stat$R.txt
nextpnr-ecp5 --85k --speed 6 --json top$R.json --freq $F --seed $S --timing-allow-fail --lpf-allow-unconstrained --report r$R-$S.json -q --log n$R-$S.log 2>/dev/null
grep -E "Max frequency|TRELLIS_COMB|Critical path report for clock|ns logic" n$R-$S.log | tail -8
