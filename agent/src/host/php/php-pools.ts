import * as fs from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { dropFile, putFile, readText } from '../files.js';
import type { HostingConfig } from '../../config/hosting-config.js';
import { dotted } from '../programs/program-table.js';
import { failureOfProgram, runProgram } from '../programs/run-program.js';
import { HostRefusal } from '../refusal.js';
import type { Services } from '../services/services.js';
import { isOpen, type SiteRecord } from '../records/site-record.js';
import { adminerPool, hasPool, masterConfig, poolConfig } from './pool-config.js';

const FILE = { mode: 0o644 } as const;
/** How long a PHP-FPM master may take to open the socket of a new pool, in milliseconds. */
const TIMEOUT_MS = 15_000;
const POLL_EVERY_MS = 5;

/** Manages PHP-FPM: one master per installed version, with one pool per site that uses it. */
export class PhpPools {
  /** @param adminer folder of Adminer's entry script; null if Adminer is not offered */
  constructor(
    private readonly config: HostingConfig,
    private readonly services: Services,
    private readonly adminer: string | null,
  ) {}

  /** Returns the installed versions such as `82`, newest last. */
  async versions(): Promise<string[]> {
    const found = (await fs.readdir('/usr/sbin')).flatMap((name) => /^php-fpm(\d)\.(\d{1,2})$/.exec(name)?.slice(1).join('') ?? []);
    return found.sort((a, b) => Number(a) - Number(b));
  }

  /** Returns the socket of a site's PHP. It contains the version, so that the masters of two versions do not remove each other's socket. */
  socket({ user, php }: Pick<SiteRecord, 'user' | 'php'>): string {
    return path.join(this.config.run, `${user}-${php}.sock`);
  }

  /** Returns the socket of Adminer for a site's databases. */
  adminerSocket({ user }: Pick<SiteRecord, 'user'>): string {
    return path.join(this.config.run, `${user}-adminer.sock`);
  }

  /** Writes the configuration of the masters. */
  async prepare(): Promise<void> {
    for (const version of await this.versions()) {
      const folder = this.folder(version);
      await fs.mkdir(path.join(folder, 'pools'), { recursive: true, mode: 0o755 });
      await putFile(path.join(folder, 'php-fpm.conf'), masterConfig(folder, this.config.run, version), FILE);
    }
  }

  /** Starts masters that have pools but are not running. */
  async ensureRunning(): Promise<void> {
    for (const version of await this.versions()) {
      const pools = await fs.readdir(path.join(this.folder(version), 'pools')).catch((): string[] => []);
      if (pools.length > 0 && !(await this.services.isRunning(`php:${version}`))) await this.services.start(`php:${version}`);
    }
  }

  /**
   * Writes the pool of a site; {@link tidy} follows once nginx uses it. A configuration the master rejects is rolled back.
   *
   * @throws HostRefusal `PHP_MISSING`, `CONFIG`
   */
  async apply(site: SiteRecord): Promise<void> {
    const versions = await this.versions();
    if (site.php !== null && !versions.includes(site.php))
      throw new HostRefusal('PHP_MISSING', `PHP ${site.php} is not installed.`, { version: site.php });
    if (site.php !== null && hasPool(site, site.php))
      await this.put(site.php, site.user, this.socket(site), (socket) => poolConfig(site, { ...this.pathsOf(site), socket }));
    await this.ensureAdminerPool(site, versions);
  }

  /**
   * Writes the Adminer pool of a site, also for sites created before the server offered Adminer.
   *
   * @param versions installed versions, if known
   * @throws HostRefusal `CONFIG`, `PROGRAM`
   */
  async ensureAdminerPool(site: SiteRecord, versions?: readonly string[]): Promise<void> {
    if (!this.hasAdminer(site)) return;
    const newest = (versions ?? (await this.versions())).at(-1);
    if (newest === undefined) return;
    await this.put(newest, `${site.user}-adminer`, this.adminerSocket(site), (socket) =>
      adminerPool(site, { ...this.pathsOf(site), socket }, this.adminer ?? ''),
    );
  }

  private pathsOf({ user }: SiteRecord): { home: string; webUser: string } {
    return { home: path.join(this.config.root, user), webUser: this.config.webUser };
  }

  /** Removes pools the site no longer uses. */
  async tidy(site: SiteRecord): Promise<void> {
    const versions = await this.versions();
    for (const version of versions) {
      if (!hasPool(site, version)) await this.drop(version, site.user);
      if (!this.hasAdminer(site) || version !== versions.at(-1)) await this.drop(version, `${site.user}-adminer`);
    }
  }

  private hasAdminer(site: SiteRecord): boolean {
    return this.adminer !== null && isOpen(site) && site.databases.length > 0;
  }

  private async put(version: string, name: string, socket: string, config: (socket: string) => string): Promise<void> {
    const file = this.poolFile(version, name);
    const before = await readText(file);
    const changed = await putFile(file, config(socket), FILE);
    if (!changed && (await this.services.isRunning(`php:${version}`))) return;
    const test = await runProgram('php-fpm', ['--test', '--fpm-config', path.join(this.folder(version), 'php-fpm.conf')], { version });
    if (test.code !== 0) {
      if (before === null) await dropFile(file);
      else await putFile(file, before, FILE);
      throw failureOfProgram(test, 'CONFIG', 'PHP rejected its configuration');
    }
    await this.services.reload(`php:${version}`);
    await waitForSocket(socket);
  }

  private async drop(version: string, name: string): Promise<void> {
    if (!(await dropFile(this.poolFile(version, name)))) return;
    if (await this.services.isRunning(`php:${version}`)) await this.services.reload(`php:${version}`);
  }

  private folder(version: string): string {
    return path.join(this.config.settings, 'php', dotted(version));
  }

  private poolFile(version: string, name: string): string {
    return path.join(this.folder(version), 'pools', `${name}.conf`);
  }
}

/** Waits until a socket accepts connections: a master opens the socket of a new pool shortly after the reload. */
async function waitForSocket(socket: string): Promise<void> {
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await sleep(POLL_EVERY_MS)) {
    const isThere = await new Promise<boolean>((resolve) => {
      const connection = connect(socket);
      connection.once('connect', () => resolve(true)).once('error', () => resolve(false));
      connection.once('connect', () => connection.destroy());
    });
    if (isThere) return;
  }
  throw new HostRefusal('PROGRAM', 'PHP did not start within the time limit.');
}
