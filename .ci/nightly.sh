#!/usr/bin/env bash
# One night: judge the target, hold it against the night before, write what people and CI read in the morning.
# NIGHT names the folder: before/ is what the last night left there (missing on the first), out/ and history/ are this one's.
# Settings of the target come from the environment (BASE_URL …); KEEP_DAYS says how long results stay in history/.
# HOSTS names the hosts that must be given, as base,cdn,gamelogs; without it, one of them must.
# Ends with the exit code of the run, whatever the comparison says; worse holds true or false.
set -uo pipefail
: "${NIGHT:?names the folder of this night}"
cd "$(dirname "$0")/.." || exit 3

out="$NIGHT/out" before="$NIGHT/before/out/result.json"
mkdir -p "$out" "$NIGHT/history"
if [ -d "$NIGHT/before/history" ]; then cp -R "$NIGHT/before/history/." "$NIGHT/history/"; fi

# A URL that is missing (a secret that nobody set) must not turn the night into one of fewer hosts, or of the embedded server.
is_given() {
  if [ -n "${!1+set}" ]; then [[ "${!1}" =~ [^[:space:]] ]]; return; fi
  [ -f .env ] && grep -Eq "^[[:space:]]*(export[[:space:]]+)?$1[[:space:]]*[=:][[:space:]]*[\"'\`]?[^[:space:]\"'\`#]" .env
}
refuse() {
  printf 'nightly: %s\n' "$1" >&2
  echo false >"$NIGHT/worse"
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

npm start -- --out "$out" --keep "$NIGHT/history" --format ctrf,har,gitlab
code=$?

worse=false
if [ -f "$out/result.json" ] && [ -f "$before" ]; then
  npm run -s diff -- "$before" "$out/result.json" >"$out/diff.txt"
  case $? in
    0) ;;
    1) worse=true ;;
    *) echo "nightly: the night before cannot be compared with this one" >&2 ;;
  esac
  cat "$out/diff.txt"
fi
printf '%s\n' "$worse" >"$NIGHT/worse"

if [ -f "$out/result.json" ]; then
  npm run -s trend -- "$NIGHT/history" --out "$out" --prune-older-than "${KEEP_DAYS:-90}d" >"$out/trend.txt" ||
    echo "nightly: there is no trend" >&2
fi

# What the target said stands in indented lines alone: in Markdown that is text, whatever it holds.
if [ "$worse" = true ]; then
  {
    printf 'The nightly run got worse than the one before.\n\n'
    if [ -n "${RUN_URL:-}" ]; then printf 'Report, exchanges and trend: %s\n\n' "$RUN_URL"; fi
    head -c 50000 "$out/diff.txt" | sed 's/^/    /'
    printf '\n'
  } >"$out/issue.md"
fi
exit "$code"
