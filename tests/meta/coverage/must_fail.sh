#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/meta/coverage/must_fail.sh OUT: coverage.py notices a line that no test reaches and that has no reason, a reason
# that is not needed, one without words, and a folder of which too little is reached; on a firmware of one function. The
# same for a line of RTL, and for bits that do not change, on counts as a design writes them.
. tests/meta/must_fail/expect.sh
project=$PWD
rm -rf "$1"; mkdir -p "$1/firmware" "$1/build" "$1/host" "$1/model" "$1/sim"
cd "$1" || exit 2
# many FOLDER: a file of a hundred lines that run, so that one that does not is little
many() {
    printf 'int main(void)\n{\n    int n = 0;\n'
    i=0; while [ $i -lt 100 ]; do printf '    n++;\n'; i=$((i + 1)); done
    printf '    if (n == 7)\n        n = 8;\n    return n == 100 ? 0 : 1;\n}\n'
}
for folder in firmware host model sim; do
    many >$folder/$folder.c
    gcc -O0 --coverage -c -o build/$folder.o $folder/$folder.c && gcc --coverage -o build/$folder build/$folder.o &&
        build/$folder || exit 2
done
judge() { python3 -B "$project/tests/meta/coverage/coverage.py" . . "${1:-reasons}" page.txt; }
known() { python3 -B "$project/tests/meta/coverage/coverage.py" --known reasons; }
printf '# FILE | beginning | reason\nfirmware/firmware.c | n = 8; | a hundred is not seven\n' >reasons
must_pass "a line with its reason" judge
must_pass "... which is known" known
must_pass "... and is on the page" grep -q 'a hundred is not seven' coverage.html
must_pass "... and in the text" grep -q 'n = 8; .*a hundred is not seven' page.txt
mkdir counts rtl
i=0; while [ $i -lt 99 ]; do echo 'x <= y;'; i=$((i + 1)); done >rtl/one.v
echo 'z <= y;' >>rtl/one.v
point() { # LINE NAME PAGE LINES COUNT
    printf "C '\001f\002rtl/one.v\001l\002%s\001page\002%s/one\001o\002%s\001S\002%s' %s\n" "$1" "$3" "$2" "$4" "$5"
}
{ point 1 block v_line 1-99 7; point 100 if v_line 100 0
  for bit in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do point 4 "x[$bit]" v_toggle '' 9; done
  point 4 'x[19]' v_toggle '' 0; } >counts/one.dat
must_fail "a line of RTL without a reason" "rtl/one.v | z <= y; | line 100: no test comes to it" judge
echo 'rtl/one.v | z <= y; | y never comes' >>reasons
must_pass "... with its reason" judge
must_pass "... which is in the text" grep -q '100  z <= y; .*y never comes' page.txt
must_pass "a bit that never changes is on the page" grep -q '4  x\[19\]' coverage.html
point 100 if v_line 100 1 >counts/another.dat
must_fail "a line of RTL that another design reaches" "rtl/one.v | z <= y; | is reached, or gone" judge
rm counts/another.dat
for bit in 20 21; do point 4 "x[$bit]" v_toggle '' 0; done >>counts/one.dat
must_fail "bits of which few change" "rtl: 19 of 22 bits change" judge
rm -r counts rtl; sed -i '/^rtl/d' reasons
: >none
must_fail "a line without a reason" "line 105: no test comes to it" judge none
printf 'firmware/firmware.c | n = 8; | a second time\n' >twice
cat reasons >>twice
must_fail "two reasons for one line" "firmware/firmware.c | n = 8; | is reached, or gone" judge twice
printf 'firmware/firmware.c | n++; | it runs\n' >>reasons
must_fail "a reason that is not needed" "firmware/firmware.c | n++; | is reached, or gone" judge
printf 'firmware/firmware.c | n = 9; | gone\n' >reasons
must_fail "a reason of a line that is gone" "no such line" known
printf 'firmware/firmware.c | n = 8;\n' >reasons
must_fail "a reason without words" "no reason" known
must_fail "... when it is measured" "no test comes to it" judge
printf 'int main(void) { return 0; }\nint f(int n);\nint f(int n)\n{\n    n++;\n    return n;\n}\n' >firmware/firmware.c
gcc -O0 --coverage -c -o build/firmware.o firmware/firmware.c && gcc --coverage -o build/firmware build/firmware.o
rm -f build/*.gcda; build/firmware
for line in 'int f(int n)' 'n++;' 'return n;'; do echo "firmware/firmware.c | $line | none"; done >reasons
must_fail "a folder of which little is reached" "firmware: 1 of 4 lines are reached" judge
finish
