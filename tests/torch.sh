# shellcheck shell=bash
# To be sourced by what makes a virtual environment with PyTorch for the CPU: `source tests/torch.sh NAME DIRECTORY`.
#
# That PyTorch is on no ordinary index. It comes from TORCH_INDEX (an index, such as
# https://download.pytorch.org/whl/cpu), or from the folders and indexes in UV_FIND_LINKS, UV_INDEX or pip's
# configuration. Exits with 3 and one sentence for NAME where none of them has it. UV names the uv that is used.
# Afterwards `install` is the command that installs into the environment, and `torch` what to ask for.
name=$1
directory=$2
python=$directory/bin/python
torch=torch==2.13.0+cpu
uv=${UV:-uv}

configured() { # the values of an option in pip's configuration and environment, one a line
    "${PYTHON:-python3}" -m pip config list 2>/dev/null | sed -n "s/^[a-z:.]*\.$1='\(.*\)'$/\1/p" | tr ' ' '\n' | sort -u
}

sources=()
[ -z "${TORCH_INDEX:-}" ] || sources+=(--index "$TORCH_INDEX")
while read -r found; do
    [ -z "$found" ] || sources+=(--find-links "$found")
done < <(configured find-links)
while read -r found; do
    [ -z "$found" ] || sources+=(--index "$found")
done < <(configured extra-index-url)

[ -x "$python" ] || "$uv" venv --quiet --python "${PYTHON:-python3}" "$directory"
install=("$uv" pip install --quiet --python "$python" --index-strategy unsafe-best-match ${sources[@]+"${sources[@]}"})

if ! reason=$("${install[@]}" --dry-run --no-deps "$torch" 2>&1); then
    echo "$name: skipped, no $torch for $("$python" --version) on any index or in any folder that uv or pip knows;" \
        "name one with TORCH_INDEX or UV_FIND_LINKS ($(tail -n 1 <<<"$reason" | sed 's/^ *//'))" >&2
    exit 3
fi
