#!/bin/sh
# The first legal move, whatever it is.
while read -r word rest; do
    case $word in
        ccgrid) echo "ready first" ;;
        position) first= ;;
        legal) first=${first:-$rest} ;;
        go) echo "move $first" ;;
        quit) exit ;;
    esac
done
