#!/bin/sh
# Installs the agent on a hosting server: checks for Node, downloads the agent from its panel and runs its installation, which lists the
# changes and asks for confirmation.
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
[ "$(id -u)" = 0 ] || fail 'Run this as root, for example: sudo sh server-install.sh …'
node=$(command -v node || true)
major=0
[ -n "$node" ] && major=$("$node" -p 'process.versions.node.split(".")[0]')
[ "$major" -ge 18 ] || fail \
  'The agent needs Node 18 or newer, which this server does not have.' \
  'Debian 12 has it:   apt-get update && apt-get install -y --no-install-recommends nodejs' \
  'Newer ones:         https://nodejs.org/en/download' \
  'Then run this again.'
case "$panel" in
  '') program=/opt/svc-agent/svc-agent.mjs ;;
  *@*) fail 'The address of the panel must not contain a user name.' ;;
  https://?* | http://127.0.0.1 | http://127.0.0.1[:/]* | http://localhost | http://localhost[:/]* | 'http://[::1]' | 'http://[::1]'[:/]*)
    program=$(mktemp -d)/svc-agent.mjs
    if command -v curl >/dev/null; then curl -fsS --proto '=http,https' --max-redirs 0 -o "$program" "$panel/api/node-agent.mjs"
    elif command -v wget >/dev/null; then wget -q --max-redirect=0 -O "$program" "$panel/api/node-agent.mjs"
    else fail 'This server has neither curl nor wget. Install one: apt-get install -y curl'; fi ;;
  *) fail 'The address of the panel must start with https://: the panel sends secrets of this server.' ;;
esac
[ -s "$program" ] || fail "The agent program $program does not exist. Install with --panel and --token first."
exec "$node" "$program" --install "$@"
