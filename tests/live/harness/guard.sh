# shellcheck shell=sh
# sh guard.sh FOLDER PROGRAM [ARGUMENT…]
#
# Runs PROGRAM for as long as standard input stays open, then kills it and removes FOLDER. The test process holds the
# other end of that pipe, and the kernel closes it however the process ends: return, panic, abort, kill -9. A destructor
# alone would cover the first two only, and no destructor runs for a static.
folder=$1
shift
exec 3<&0 </dev/null
"$@" 3<&- &
program=$!
{
  read -r _ <&3
  # From here on its exit status says that this was not a program that ended by itself.
  trap '' TERM
  kill -KILL "$program"
} 2>/dev/null &
watcher=$!
exec 3<&-
wait "$program"
status=$?
# Asking whether the watcher lives would not do: it may be a zombie, which answers like the living.
kill "$watcher" 2>/dev/null
# A program that ended by itself leaves its log to be read.
wait "$watcher" && rm -rf "$folder"
exit "$status"
