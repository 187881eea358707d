#!/bin/sh
# Sets up .venv from the lock when it has changed, then does what is asked.
set -eu
cd "$(dirname "$0")"
unset PYTHONDONTWRITEBYTECODE # bytecode makes every later start fast

say() { printf '%s\n' "$*" >&2; }

began=$(date +%s)
phase() { # what is being done, and since when; the seconds count from the start
    say "[$(($(date +%s) - began)) s] $*"
}

usage() {
    say "usage: ./do run [ARGS]    set up, then beholder run ARGS (nothing: every benchmark)"
    say "       ./do test [ARGS]   set up, then the tests (ARGS go to pytest; -m slow: the slow ones; -m faults: kills, full disks …)"
    say "       ./do test-deep [ARGS]   the tests that need torch and transformers, in .venv-deep (torch of the CPU only)"
    say "       ./do lint          ruff, mypy, import-linter"
    say "       ./do fix           let ruff format and mend"
    say "       ./do bench [NAME]  the speed comparisons in benchmarks/, all of them into benchmarks/RESULTS.md"
    say "       ./do docs          the site, into site/: generated pages, gallery of real reports, MkDocs"
    say "       ./do docs NAME     one page, table or picture of docs/ made anew; all: every one (hours; needs BEHOLDER_DATA)"
    say "       ./do setup         set up only"
    say "       ./do lock          write the lock files anew"
    exit 2
}

interpreter() {
    for name in python3.11 python3.12 python3.13 python3; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
    say "Beholder needs Python 3.11 or newer and found none; on Debian: apt-get install python3 python3-venv"
    exit 2
}

environment() { # .venv, with Debian's venv package where it is missing
    [ -x .venv/bin/python ] && return
    python=$(interpreter)
    if ! "$python" -m venv .venv >/dev/null 2>&1; then
        rm -rf .venv
        if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
            say "$python -m venv does not work here; on Debian: apt-get install python3-venv"
            exit 2
        fi
        say "installing Debian's python3-venv …"
        apt-get update -qq
        apt-get install -y -qq python3-venv >/dev/null
        "$python" -m venv .venv
    fi
}

setup() { # $1: the lock file; the dev lock holds all that the other one holds
    stamp=$(cat "$1" pyproject.toml | cksum)
    [ -x .venv/bin/beholder ] && [ "$(cat ".venv/$1.stamp" 2>/dev/null)" = "$stamp" ] && return
    say "Setting up .venv from $1, once; $(grep -c '^[a-z0-9].*==' "$1") packages:"
    phase "making the environment"
    environment
    phase "installing uv, which installs the rest"
    awk '/^uv==/ {found = 1} found {print} found && !/\\$/ {exit}' "$1" >.venv/uv.txt
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r .venv/uv.txt
    export VIRTUAL_ENV="$PWD/.venv"
    packages "$1"
    phase "installing Beholder"
    .venv/bin/uv pip install --quiet --no-deps --no-build-isolation -e .
    echo "$stamp" >".venv/$1.stamp"
    phase "ready"
}

ticking() { # while something lasts: the seconds in place where someone sits, elsewhere a line every quarter of a minute
    ticks=0
    while sleep 1 && kill -0 $$ 2>/dev/null; do # a stopped script must not be outlived
        ticks=$((ticks + 1))
        if [ -t 2 ]; then
            printf '\r[%s s] %s …' $(($(date +%s) - began)) "$*" >&2
        elif [ $((ticks % 15)) = 0 ]; then
            phase "$* …"
        fi
    done
}

packages() { # all of a lock file
    ticking "installing the packages" &
    ticker=$!
    .venv/bin/uv pip install --quiet --require-hashes --compile-bytecode -r "$1" || { kill "$ticker"; exit 1; }
    kill "$ticker"
    if [ -t 2 ]; then say ""; fi
}

browser() { # for the tests of web pages; without it they skip and say so
    command -v chromium >/dev/null && return
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        say "installing Debian's chromium for the browser tests …"
        { apt-get update -qq && apt-get install -y -qq chromium >/dev/null; } || say "no chromium to be had: the browser tests will skip"
    fi
}

TORCH=2.13.0 # by pip and in no lock: uv would take the build with CUDA

brings() { # $1: a requirement; the packages that pip would install for it, one a line; fails where there is none
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --dry-run --ignore-installed --report - "$1" 2>/dev/null |
        .venv/bin/python -c 'import json, sys; print(*(one["metadata"]["name"] for one in json.load(sys.stdin)["install"]), sep="\n")' 2>/dev/null
}

cpu_torch() { # prints the requirement of a torch without CUDA; where there is none, says why and fails
    for requirement in "torch==$TORCH" "torch==$TORCH+cpu"; do
        found=$(brings "$requirement") || continue
        heavy=$(echo "$found" | grep -icE '^(nvidia|cuda|triton)' || true)
        if [ "$heavy" = 0 ]; then
            echo "$requirement"
            return
        fi
        say "pip would bring $requirement with $heavy packages of CUDA, which are gigabytes"
    done
    say "deep tests: SKIPPED, pip finds no build of torch $TORCH for the CPU; point pip to one (PIP_INDEX_URL) and call ./do test-deep again"
    return 1
}

setup_deep() { # .venv-deep: the lock and a torch for the CPU; fails where no such torch is to be had
    stamp=$(cat requirements-deep.lock pyproject.toml | cksum)" torch $TORCH"
    [ "$(cat .venv-deep/stamp 2>/dev/null)" = "$stamp" ] && return
    torch=$(cpu_torch) || return 1
    say "setting up .venv-deep from requirements-deep.lock and $torch (once; about a minute) …"
    rm -rf .venv-deep
    .venv/bin/uv venv --quiet --python .venv/bin/python .venv-deep
    .venv/bin/uv pip install --quiet --python .venv-deep/bin/python --require-hashes -r requirements-deep.lock
    .venv/bin/uv pip install --quiet --python .venv-deep/bin/python --no-deps --no-build-isolation -e .
    .venv/bin/python -m pip --python .venv-deep/bin/python install -qq --disable-pip-version-check --no-compile "$torch"
    echo "$stamp" >.venv-deep/stamp
}

verb=${1:-}
[ $# -gt 0 ] && shift
case $verb in
setup)
    setup requirements.lock
    say "the command is .venv/bin/beholder; after \`source .venv/bin/activate\` it is beholder"
    ;;
run)
    if [ -f .venv/requirements-dev.lock.stamp ]; then setup requirements-dev.lock; else setup requirements.lock; fi
    exec .venv/bin/beholder run "$@"
    ;;
test)
    setup requirements-dev.lock
    browser
    export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 # two workers of pytest: small products spin when they share cores
    exec .venv/bin/python -m pytest -n 2 --dist worksteal -m "not slow and not faults" "$@" # a further -m replaces this one
    ;;
test-deep)
    setup requirements-dev.lock
    setup_deep || exit 0
    export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 HF_HUB_OFFLINE=1
    say "deep tests: run with torch $TORCH on the CPU"
    [ $# -gt 0 ] || set -- tests/video tests/motion/models/test_raft.py tests/attention/models/test_deepgaze_torch.py
    exec .venv-deep/bin/python -m pytest -n 2 --dist loadfile -m deep "$@"
    ;;
lint)
    setup requirements-dev.lock
    .venv/bin/ruff check .
    .venv/bin/ruff format --check .
    .venv/bin/mypy
    .venv/bin/lint-imports
    ;;
fix)
    setup requirements-dev.lock
    .venv/bin/ruff check --fix .
    .venv/bin/ruff format .
    ;;
bench)
    setup requirements-dev.lock
    failed=0
    .venv/bin/python benchmarks/suite.py "$@" >.venv/results.md || failed=1 # one script failed; the page says which
    cat .venv/results.md
    if [ $# = 0 ]; then mv .venv/results.md benchmarks/RESULTS.md; fi
    exit "$failed"
    ;;
docs)
    setup requirements-dev.lock
    if [ $# -gt 0 ]; then exec .venv/bin/python docs/generate.py "$@"; fi
    .venv/bin/python docs/generate.py catalogue cli.md python.md
    .venv/bin/python docs/gallery.py
    NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --quiet --strict
    say "site/index.html is the site; it opens without a server"
    ;;
lock)
    setup requirements-dev.lock
    compile="uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --python-version 3.11 --extra build --extra study --extra hdf5"
    .venv/bin/$compile "$@" pyproject.toml -o requirements.lock
    .venv/bin/$compile "$@" --extra dev --extra docs --extra peers --extra parquet --extra cluster -c requirements.lock pyproject.toml -o requirements-dev.lock
    .venv/bin/$compile "$@" --extra dev --extra parquet --extra deep -c requirements-dev.lock pyproject.toml -o requirements-deep.lock
    ;;
*) usage ;;
esac
