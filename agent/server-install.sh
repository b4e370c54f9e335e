#!/bin/sh
# Sets up the agent of a hosting server: looks for Node, fetches the agent from its panel, and has it install itself, which says what it
# will change and asks first.
#   sh server-install.sh --panel https://panel.example.com --token TOKEN [--yes] [--scan-only] [--adminer-name HOST]
#   sh server-install.sh --undo
set -eu
fail() {
  printf "%s\n" "$@" >&2
  exit 1
}
panel=''
previous=''
for argument in "$@"; do
  [ "$previous" = --panel ] && panel=$argument
  previous=$argument
done
[ "$(id -u)" = 0 ] || fail 'Run this as root, such as with: sudo sh server-install.sh …'
node=$(command -v node || true)
major=0
[ -n "$node" ] && major=$("$node" -p 'process.versions.node.split(".")[0]')
[ "$major" -ge 18 ] || fail \
  'This server has no Node 18 or newer, which the agent is written for.' \
  'Debian 12 has it:   apt-get update && apt-get install -y --no-install-recommends nodejs' \
  'Newer ones:         https://nodejs.org/en/download' \
  'Then run this again.'
case "$panel" in
  '') program=/opt/svc-agent/svc-agent.mjs ;;
  *@*) fail 'The address of the panel holds no user name.' ;;
  https://?* | http://127.0.0.1 | http://127.0.0.1[:/]* | http://localhost | http://localhost[:/]* | 'http://[::1]' | 'http://[::1]'[:/]*)
    program=$(mktemp -d)/svc-agent.mjs
    if command -v curl >/dev/null; then curl -fsS --proto '=http,https' --max-redirs 0 -o "$program" "$panel/api/node-agent.mjs"
    elif command -v wget >/dev/null; then wget -q --max-redirect=0 -O "$program" "$panel/api/node-agent.mjs"
    else fail 'This server has neither curl nor wget: apt-get install -y curl'; fi ;;
  *) fail 'The address of the panel must begin with https://: secrets of this server come from there.' ;;
esac
[ -s "$program" ] || fail "There is no agent at $program."
exec "$node" "$program" --install "$@"
