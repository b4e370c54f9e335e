import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from './server-process.js';

const SCHEMA = '/usr/share/doc/pdns-backend-sqlite3/schema.sqlite3.sql';
const PROGRAM = ['/usr/sbin/pdns_server', '/usr/bin/pdns_server'].find((path) => existsSync(path)) ?? 'pdns_server';

/**
 * Whether Debian's packages `pdns-server` and `pdns-backend-sqlite3` are installed. Always true in CI, where the spec that needs them fails
 * without them.
 */
export const hasPowerDns =
  process.env.CI === 'true' || (spawnSync(PROGRAM, ['--version'], { stdio: 'ignore' }).error === undefined && existsSync(SCHEMA));

/** PowerDNS with its HTTP API, on loopback only. */
export class PowerDns {
  output = '';

  private constructor(
    private readonly folder: string,
    private readonly child: ChildProcess,
    readonly address: string,
    readonly key: string,
    readonly port: number,
  ) {}

  static async start(zones: readonly string[]): Promise<PowerDns> {
    const folder = mkdtempSync(join(tmpdir(), 'powerdns-'));
    const [port, api] = [await freePort(), await freePort()];
    const file = join(folder, 'pdns.sqlite3');
    const Sqlite = createRequire(import.meta.url)('better-sqlite3') as new (path: string) => { exec(sql: string): void; close(): void };
    const database = new Sqlite(file);
    database.exec(execFileSync('cat', [SCHEMA]).toString());
    database.close();
    const key = 'pdns-key-hidden-1';
    const settings = {
      ...{ launch: 'gsqlite3', 'gsqlite3-database': file, 'gsqlite3-dnssec': 'no', 'socket-dir': folder, 'local-address': '127.0.0.1' },
      ...{ 'local-port': port, api: 'yes', 'api-key': key, webserver: 'yes', 'webserver-address': '127.0.0.1', 'webserver-port': api },
      ...{
        'webserver-allow-from': '127.0.0.1',
        guardian: 'no',
        daemon: 'no',
        'cache-ttl': 0,
        'query-cache-ttl': 0,
        'negquery-cache-ttl': 0,
        'zone-cache-refresh-interval': 0,
      },
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    writeFileSync(join(folder, 'pdns.conf'), lines.join('\n'));
    const child = spawn(PROGRAM, [`--config-dir=${folder}`], { stdio: ['ignore', 'pipe', 'pipe'] });
    const server = new PowerDns(folder, child, `http://127.0.0.1:${api}`, key, port);
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text) => (server.output += String(text)));
    for (let tries = 0; tries < 200; tries += 1) {
      if (await server.api('GET', '/zones').catch(() => null)) break;
      if (tries === 199) throw new Error(`PowerDNS did not start:\n${server.output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    for (const name of zones) await server.api('POST', '/zones', { name: `${name}.`, kind: 'Native', nameservers: [`ns1.${name}.`] });
    return server;
  }

  /**
   * Sends a request to the HTTP API.
   *
   * @throws Error with status and body of a failure
   */
  async api(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.address}/api/v1/servers/localhost${path}`, {
      method,
      headers: { 'X-API-Key': this.key, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text}`);
    return text === '' ? {} : (JSON.parse(text) as unknown);
  }

  stop(): void {
    this.child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}
