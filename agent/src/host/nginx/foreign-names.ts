import { hostname } from 'node:os';

/** Line that precedes each file in the output of `nginx -T`. */
const FILE = /^# configuration file (.+):$/m;
/** Tokens of a configuration: quoted strings, comments, ends of directives and blocks, and words. */
const WORD = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|#[^\n]*|[;{}]|[^\s;{}]+/gs;
/** Default port of a virtual host. */
const STANDARD_PORT = 80;

/** Server names and ports of a virtual host. */
interface VirtualHost {
  readonly names: string[];
  readonly ports: number[];
}

/**
 * Returns the names that other programs' virtual hosts use on some ports: nginx ignores a second virtual host of the same name.
 *
 * @param dump output of `nginx -T`: all files of the configuration, each after its path
 * @param isOurs whether a file is skipped
 */
export function foreignNames(dump: string, isOurs: (file: string) => boolean, ports: readonly number[]): Set<string> {
  const parts = dump.split(FILE);
  const found = new Set<string>();
  // Paths and file contents alternate.
  for (let at = 1; at < parts.length; at += 2) {
    if (isOurs(parts[at]!)) continue;
    for (const host of hostsIn(parts[at + 1]!)) {
      // Without a port here, it may be set in an included file.
      if (host.ports.length > 0 && !host.ports.some((port) => ports.includes(port))) continue;
      for (const name of host.names.flatMap(bothOf)) found.add(name.toLowerCase());
    }
  }
  return found;
}

/** Parses the virtual hosts of a file. Directives outside of any `server` block count as one host because another file may include them. */
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

/** Returns the port of a `listen` address such as `80`, `[::]:80` or `192.0.2.1`; 0 for a socket. */
function portOf(address: string): number {
  return address.startsWith('unix:') ? 0 : Number(/(?:^|:)(\d+)$/.exec(address)?.[1] ?? STANDARD_PORT);
}

/** Expands `.example.com` to the name and its subdomains, and `$hostname` to the name of the machine. */
function bothOf(name: string): string[] {
  if (name === '$hostname') return [hostname()];
  return name.startsWith('.') ? [name.slice(1), `*${name}`] : [name];
}
