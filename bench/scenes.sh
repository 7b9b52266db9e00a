# SPDX-License-Identifier: Apache-2.0
# Of measure.sh and compare.sh: the runs of the group scene, and what each is asked for.
scenes='default resident copied literal'
scene_options() {
    case $1 in
    default) ;;
    resident) echo "--local large" ;;
    copied) echo "--copy-only" ;;
    literal) echo "--copy-only --policy literal" ;;
    *) echo "bench: unknown scene '$1'. Choose one of: $scenes." >&2; return 1 ;;
    esac
}
# draw_scene PROGRAM NAME FOLDER [OPTION...]: four frames on the simulated chip
draw_scene() {
    options=$(scene_options "$2") || return 1
    program=$1 folder=$3; shift 3
    $program run --frames 4 --seed 1 --no-compare $options --out "$folder" "$@"
}
