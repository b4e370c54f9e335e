import { hostname } from 'node:os';

/** What stands before each file in what `nginx -T` says. */
const FILE = /^# configuration file (.+):$/m;
/** Words of a configuration: quoted ones, comments, ends of directives and blocks, all others. */
const WORD = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|#[^\n]*|[;{}]|[^\s;{}]+/gs;
/** Port of a virtual host that does not say one. */
const STANDARD_PORT = 80;

/** A virtual host: what it answers by, and where. */
interface VirtualHost {
  readonly names: string[];
  readonly ports: number[];
}

/**
 * Names that virtual hosts of others answer by on some ports: nginx leads nobody to a second one of the same name.
 *
 * @param said by `nginx -T`: all files of its configuration, each after its path
 * @param isOurs whether a file is not looked at
 */
export function foreignNames(said: string, isOurs: (file: string) => boolean, ports: readonly number[]): Set<string> {
  const parts = said.split(FILE);
  const found = new Set<string>();
  // A path and what the file holds, in turn.
  for (let at = 1; at < parts.length; at += 2) {
    if (isOurs(parts[at]!)) continue;
    for (const host of hostsIn(parts[at + 1]!)) {
      // One that says no port here may say it in a file it includes.
      if (host.ports.length > 0 && !host.ports.some((port) => ports.includes(port))) continue;
      for (const name of host.names.flatMap(bothOf)) found.add(name.toLowerCase());
    }
  }
  return found;
}

/** Virtual hosts of a file; what stands outside of any is one, too: others may include the file. */
function hostsIn(text: string): VirtualHost[] {
  const hosts: VirtualHost[] = [{ names: [], ports: [] }];
  const open = [hosts[0]!];
  let words: string[] = [];
  for (const [word] of text.matchAll(WORD)) {
    if (word.startsWith('#')) continue;
    const [directive, ...values] = words;
    const host = open.at(-1)!;
    if (word === ';' && directive === 'server_name') host.names.push(...values);
    if (word === ';' && directive === 'listen') host.ports.push(portOf(values[0] ?? ''));
    if (word === '{' && directive === 'server') hosts.push({ names: [], ports: [] });
    if (word === '{') open.push(directive === 'server' ? hosts.at(-1)! : host);
    if (word === '}' && open.length > 1) open.pop();
    words = /^[;{}]$/.test(word) ? [] : [...words, word.replace(/^(["'])(.*)\1$/s, '$2')];
  }
  return hosts;
}

/** Port of an address that is listened on, such as `80`, `[::]:80` or `192.0.2.1`; 0 of a socket. */
function portOf(address: string): number {
  return address.startsWith('unix:') ? 0 : Number(/(?:^|:)(\d+)$/.exec(address)?.[1] ?? STANDARD_PORT);
}

/** `.example.com` is a name and all below it; `$hostname` is the name of the machine. */
function bothOf(name: string): string[] {
  if (name === '$hostname') return [hostname()];
  return name.startsWith('.') ? [name.slice(1), `*${name}`] : [name];
}
