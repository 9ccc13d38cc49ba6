#!/usr/bin/env bash
# One night: judge the target, hold it against the last accepted night, write what people and CI read in the morning.
# NIGHT names the folder: out/, history/ and accepted/ are this night's, and before/ holds those of the last one, which are
# moved there where it ran in the same folder. A night is accepted when it is green, or when ACCEPT is true.
# Settings of the target come from the environment (BASE_URL …); KEEP_DAYS says how long results stay in history/.
# HOSTS names the hosts that must be given, as base,cdn,gamelogs; without it, one of them must. OPTIONS are further ones
# of the run, separated by blanks. ASSAY_CLI is the command of a package; without it the clone's own is run, from there.
# Ends with the exit code of the run, 0 where what failed did not fail again; worse holds true or false,
# false too where it did not end.
set -uo pipefail
: "${NIGHT:?names the folder of this night}"
if [ -n "${ASSAY_CLI:-}" ]; then
  assay() { node "$ASSAY_CLI" "$@"; }
else
  cd "$(dirname "$0")/.." || exit 3
  assay() { if [ "$1" = run ]; then npm start -- "${@:2}"; else npm run -s "$1" -- "${@:2}"; fi; }
fi
read -ra options <<<"${OPTIONS:-}" || true

out="$NIGHT/out" accepted="$NIGHT/before/accepted/result.json"
rotate() {
  local part
  for part in out history accepted; do
    if [ -d "$NIGHT/$part" ]; then
      mkdir -p "$NIGHT/before" && rm -rf "$NIGHT/before/$part" && mv "$NIGHT/$part" "$NIGHT/before/" || return
    fi
  done
}
# Until the night has ended it is not known to be worse; one that is interrupted leaves this.
if ! { rotate && mkdir -p "$out" "$NIGHT/history" && [ -w "$out" ] && [ -w "$NIGHT/history" ] && echo false >"$NIGHT/worse"; } 2>/dev/null; then
  printf 'nightly: NIGHT: no files can be written into %q; name another folder\n' "$NIGHT" >&2
  exit 2
fi
if [ -f "$accepted" ]; then mkdir -p "$NIGHT/accepted" && cp "$accepted" "$NIGHT/accepted/result.json"; fi
if [ -d "$NIGHT/before/history" ]; then cp -R "$NIGHT/before/history/." "$NIGHT/history/"; fi

# A URL that is missing (a secret that nobody set) must not turn the night into one of fewer hosts, or of the embedded server.
is_given() {
  if [ -n "${!1+set}" ]; then [[ "${!1}" =~ [^[:space:]] ]]; return; fi
  [ -f .env ] && grep -Eq "^[[:space:]]*(export[[:space:]]+)?$1[[:space:]]*[=:][[:space:]]*[\"'\`]?[^[:space:]\"'\`#]" .env
}
refuse() {
  printf 'nightly: %s\n' "$1" >&2
  exit 2
}
missing=''
while read -r host; do
  case "$host" in
    '') continue ;;
    base) variable=BASE_URL ;;
    cdn) variable=CDN_URL ;;
    gamelogs) variable=GAMELOGS_URL ;;
    *) refuse "HOSTS: $(printf %q "$host") is no host; it takes base, cdn and gamelogs" ;;
  esac
  is_given "$variable" || missing="$missing${missing:+, }$variable"
done < <(tr ',[:space:]' '\n' <<<"${HOSTS:-}")
if [ -n "$missing" ]; then refuse "$missing: not set, though HOSTS names that host; give the URL, or take the host out of HOSTS"; fi
is_given BASE_URL || is_given CDN_URL || is_given GAMELOGS_URL ||
  refuse 'none of BASE_URL, CDN_URL and GAMELOGS_URL is set, so there is no target to judge; give at least one'

baseline=()
if [ -f "$accepted" ]; then
  baseline=(--baseline "$accepted")
else
  echo "nightly: there is no accepted night to compare with; this one is judged by itself" | tee "$out/first.txt"
fi
assay run --out "$out" --keep "$NIGHT/history" --format ctrf,har,gitlab ${options[@]+"${options[@]}"} ${baseline[@]+"${baseline[@]}"}
code=$?

# What would make the night red is asked once more, by players and names of their own.
if [ "$code" -eq 1 ] && [ -f "$accepted" ]; then
  echo "nightly: asking once more what fails"
  if assay run --out "$out/again" --rerun "$out/result.json" ${options[@]+"${options[@]}"} ${baseline[@]+"${baseline[@]}"} >"$out/again.txt" 2>&1; then
    echo "nightly: what failed did not fail again, so the night is not red; out/result.json shows it" | tee -a "$out/again.txt"
    code=0 unsteady=true
  fi
fi

worse=false
if [ -f "$out/result.json" ] && [ -f "$accepted" ]; then
  assay diff "$accepted" "$out/result.json" >"$out/diff.txt"
  if [ $? -gt 1 ]; then echo "nightly: the accepted night cannot be compared with this one" >&2; fi
  if [ "$code" -eq 1 ]; then worse=true; fi
  cat "$out/diff.txt"
fi
printf '%s\n' "$worse" >"$NIGHT/worse"

# A night that is green becomes the accepted one; a break does not, so that it is not the new normal.
if [ -f "$out/result.json" ] && { [ "${ACCEPT:-}" = true ] || { [ "$code" -eq 0 ] && [ "${unsteady:-}" != true ]; }; }; then
  mkdir -p "$NIGHT/accepted" && cp "$out/result.json" "$NIGHT/accepted/result.json"
  warnings=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).summary?.warn ?? 0' "$out/result.json")
  if [ -f "$out/first.txt" ] && [ "$warnings" != 0 ]; then
    echo "nightly: this first night is accepted with its warnings ($warnings), which later nights do not report; look through out/report.html" | tee -a "$out/first.txt"
  fi
fi

if [ -f "$out/result.json" ]; then
  assay trend "$NIGHT/history" --out "$out" --prune-older-than "${KEEP_DAYS:-90}d" >"$out/trend.txt" ||
    echo "nightly: there is no trend" >&2
fi

# What the target said stands in indented lines alone: in Markdown that is text, whatever it holds.
if [ "$worse" = true ]; then
  {
    printf 'The nightly run is not as good as the last accepted one:\n\n'
    head -n 1 "$out/report.md" | head -c 2000 | sed 's/^# [^ ]* /    /'
    printf '\n'
    if [ -n "${RUN_URL:-}" ]; then printf 'Report, exchanges and trend: %s\n\n' "$RUN_URL"; fi
    head -c 50000 "$out/diff.txt" | sed 's/^/    /'
    printf '\nMend it, or accept it: accept takes a behaviour over; a night with ACCEPT=true is accepted whole.\n'
  } >"$out/issue.md"
fi
exit "$code"
