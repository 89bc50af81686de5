#!/bin/sh
# Referee a game of one move, in the convention of docs/referee.md: both players read the seed and
# write a number, and the higher number wins. Who writes none forfeits.

while [ $# -gt 1 ]; do
    case $1 in
        -p1) first=$2 ;;
        -p2) second=$2 ;;
        -s) seed=$2 ;;
    esac
    shift 2
done

# The player's command is a shell's word list; eval reads its quotes.
one=$(echo "$seed" | eval "$first") || { echo "ERR 1 it ended with exit code $?"; exit; }
other=$(echo "$seed" | eval "$second") || { echo "ERR 2 it ended with exit code $?"; exit; }
[ -n "$one" ] || { echo "ERR 1 it writes nothing"; exit; }
[ -n "$other" ] || { echo "ERR 2 it writes nothing"; exit; }
echo "$one $other"
