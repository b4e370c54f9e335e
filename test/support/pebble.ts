import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PACKAGE_ROOT } from '../../src/common/index.js';

import { freePort } from './server-process.js';

const TLS = join(PACKAGE_ROOT, 'test/support/tls');
/** CA certificate of the test servers, for `NODE_EXTRA_CA_CERTS`. */
export const PEBBLE_TRUST = join(TLS, 'authority.pem');

/** Whether Debian's package `pebble` is installed. Always true in CI, where the spec that needs it fails without it. */
export const hasPebble = process.env.CI === 'true' || spawnSync('pebble', ['-version'], { stdio: 'ignore' }).error === undefined;

/** Pebble, Let's Encrypt's test ACME server, with its DNS server, which resolves every name to 127.0.0.1. Listens on loopback only. */
export class Pebble {
  output = '';

  private constructor(
    private readonly folder: string,
    private readonly processes: ChildProcess[],
    readonly directory: string,
    private readonly management: number,
    private readonly names: number,
    private readonly dns: number,
  ) {}

  /**
   * @param sitesPort port of HTTP challenges
   * @param accounts HMAC keys of external accounts by id, which new ACME accounts must then be bound to; empty: not required
   */
  static async start(sitesPort: number, accounts: Readonly<Record<string, string>> = {}): Promise<Pebble> {
    const folder = mkdtempSync(join(tmpdir(), 'pebble-'));
    const [listen, management, dns, names] = [await freePort(), await freePort(), await freePort(), await freePort()];
    const loopback = readFileSync(join(TLS, 'loopback.pem'), 'utf8');
    const [key = '', certificate = ''] = loopback.split(/(?<=-----END PRIVATE KEY-----\n)/);
    writeFileSync(join(folder, 'key.pem'), key);
    writeFileSync(join(folder, 'cert.pem'), certificate);
    const config = {
      listenAddress: `127.0.0.1:${listen}`,
      managementListenAddress: `127.0.0.1:${management}`,
      certificate: join(folder, 'cert.pem'),
      privateKey: join(folder, 'key.pem'),
      httpPort: sitesPort,
      tlsPort: 1,
      ocspResponderURL: '',
      externalAccountBindingRequired: Object.keys(accounts).length > 0,
      externalAccountMACKeys: accounts,
    };
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ pebble: config }));
    const none = ['-http01', '', '-https01', '', '-tlsalpn01', ''];
    const servers = ['-dns01', `127.0.0.1:${dns}`, '-management', `127.0.0.1:${names}`, '-defaultIPv4', '127.0.0.1', '-defaultIPv6', ''];
    const env = { PATH: process.env.PATH, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '20', PEBBLE_AUTHZREUSE: '0' };
    const processes = [
      spawn('pebble-challtestsrv', [...none, ...servers], { env, stdio: ['ignore', 'pipe', 'pipe'] }),
      spawn('pebble', ['-config', join(folder, 'config.json'), '-dnsserver', `127.0.0.1:${dns}`], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    ];
    const pebble = new Pebble(folder, processes, `https://127.0.0.1:${listen}/dir`, management, names, dns);
    for (const { stdout, stderr } of processes)
      for (const stream of [stdout!, stderr!]) stream.on('data', (text) => (pebble.output += String(text)));
    for (let tries = 0; tries < 200; tries += 1) {
      if ((await pebble.get(pebble.directory).catch(() => ''))?.includes('newOrder')) return pebble;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`pebble did not start:\n${pebble.output}`);
  }

  /** Returns the root certificate as PEM. */
  root(): Promise<string> {
    return this.get(`https://127.0.0.1:${this.management}/roots/0`);
  }

  /**
   * Returns the status of an issued certificate: `Valid` or `Revoked`.
   *
   * @param chain PEM
   */
  async statusOf(chain: string): Promise<string> {
    const serial = new X509Certificate(chain).serialNumber.toLowerCase();
    const told = await this.get(`https://127.0.0.1:${this.management}/cert-status-by-serial/${serial}`);
    return (JSON.parse(told) as { Status: string }).Status;
  }

  /**
   * Makes lookups of a name fail, or resolve to 127.0.0.1 again.
   *
   * @throws Error if that has no effect
   */
  async setNowhere(host: string, isNowhere: boolean): Promise<void> {
    const path = isNowhere ? 'set-servfail' : 'clear-servfail';
    const { ok, status } = await fetch(`http://127.0.0.1:${this.names}/${path}`, { method: 'POST', body: JSON.stringify({ host }) });
    const resolver = new Resolver();
    resolver.setServers([`127.0.0.1:${this.dns}`]);
    const addresses = await resolver.resolve4(host).catch(() => []);
    if (!ok || isNowhere === addresses.length > 0) throw new Error(`${path} ${host}: ${status}, leads to ${addresses.join() || 'nothing'}`);
  }

  stop(): void {
    for (const child of this.processes) child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Accepts any certificate: the requests contain no secrets. */
  private get(url: string): Promise<string> {
    return new Promise((resolve, reject) => {
      request(url, { rejectUnauthorized: false, agent: false }, (res) => {
        let body = '';
        res.setEncoding('utf8').on('data', (text: string) => (body += text));
        res.on('end', () => resolve(body));
      })
        .on('error', reject)
        .end();
    });
  }
}
