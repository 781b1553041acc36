#!/bin/sh
# The work of a night, each piece done once however often it is asked for. A shell's, as the sandbox of Codex lets no Node start programs.
#
#     nightWork.sh part FILE SUBJECT   writes and commits a file, prints the commit
#     nightWork.sh crew                does the next task of a crew, prints what it did
set -eu

max_tries=100
# s. A lock of git that is older is nobody's: whoever held it was killed.
left_lock=5

add_and_commit() {
  message=$1
  shift
  git add -- "$@" && { git diff --cached --quiet -- "$@" || git commit --quiet -m "$message" -- "$@"; }
}

# MESSAGE FILE…; nothing where the files are committed as they are. An agent beside this one may hold git's lock.
commit() {
  tries=1
  until said=$(add_and_commit "$@" 2>&1); do
    case $said in
    *.lock*) [ $tries -lt $max_tries ] ;;
    *) false ;;
    esac || {
      echo "$said" >&2
      exit 1
    }
    tries=$((tries + 1))
    # As git asks the person to.
    find "$(git rev-parse --git-path index.lock)" ! -newermt "-$left_lock seconds" -delete 2>/dev/null || true
    sleep 0.1
  done
}

part() {
  [ -e "$1" ] || echo "$1" >"$1"
  commit "$2" "$1"
  git log -1 --format=%H -- "$1"
}

crew() {
  task=$(sed -n 's/^- \[ \] //p' tasks.md | head -n 1)
  if [ -z "$task" ]; then
    : >CREW_COMPLETE
    commit 'chore: the crew is complete' CREW_COMPLETE
    echo 'The crew is done.'
    return
  fi
  name=$(echo "$task" | tr 'A-Z ' 'a-z-')
  mkdir -p docs
  echo "# $task" >"docs/$name.md"
  sed -i '0,/^- \[ \] /s//- [x] /' tasks.md
  commit "feat: $task" tasks.md "docs/$name.md"
  echo "$task is done."
}

"$@"
