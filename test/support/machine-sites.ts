import { hashFolderPassword } from '../../src/hosting/sites/index.js';
import type { Acted, DebianMachine } from './debian-machine.js';

/** Quota of a site. */
export const QUOTA = { webMb: 100, databaseMb: 100, trafficGb: 0, domains: 0 };

/** Default web server settings of a site. */
export const SETTINGS = {
  indexes: ['index.php', 'index.html'],
  runFolder: '',
  redirects: [] as object[],
  passwords: [] as object[],
  hotlink: { enabled: false, suffixes: ['jpg'], domains: [] as string[], allowEmpty: true, status: 404 },
  cache: [] as object[],
  compression: { enabled: true, level: 6, minBytes: 100, types: ['text/css'] },
  errorPages: { '403': null, '404': null, '503': null },
};

/** Site on a machine; sends actions as the panel does. */
export class MachineSite {
  readonly ref: { name: string; id: string; mark: string; user: string };

  constructor(
    readonly machine: DebianMachine,
    readonly name: string,
    mark = `host:${name}`,
  ) {
    this.ref = { name, id: '', mark, user: `user-of-${name}` };
  }

  /** System user of the site, set by {@link make}. */
  user = '';

  get home(): string {
    return `/srv/svc/${this.user}`;
  }

  /** Creates the site. */
  async make({ php = '82', password = 'correct horse' }: { php?: string | null; password?: string | null } = {}): Promise<this> {
    const made = await this.act('site.create', { quota: QUOTA, expiresOn: null, php, secret: { password } });
    if (made.outcome !== 'ok' && made.outcome !== 'already') throw new Error(`${made.outcome} ${made.code}: ${made.message}`);
    this.user = this.ref.id = String(made.value.siteId);
    return this;
  }

  act(action: string, args: object = {}, how: { body?: string; kill?: number; stopAt?: string } = {}): Promise<Acted> {
    const body = how.body === undefined ? {} : { body: Buffer.from(how.body, 'utf8').toString('base64') };
    return this.machine.act(action, this.ref, args, { ...how, ...body });
  }

  /** Like {@link act}, throws on a failure, and returns the value. */
  async must(action: string, args: object = {}, how: { body?: string } = {}): Promise<Record<string, unknown>> {
    const { outcome, code, message, value } = await this.act(action, args, how);
    if (outcome !== 'ok' && outcome !== 'already') throw new Error(`${action}: ${outcome} ${code}: ${message}`);
    return value;
  }

  /** Writes a file of the site, as its owner does in the panel; replaces an existing one. */
  async put(path: string, content: string): Promise<void> {
    const isThere = (await this.act('files.find', { path })).outcome === 'ok';
    await this.must('files.write', { path, isNew: !isThere, version: null, space: 2 ** 30 }, { body: content });
  }

  /** Sends a request as a visitor; returns status and body. */
  async get(path = '/', headers: Record<string, string> = {}, host = this.name): Promise<[number, string]> {
    const { status, body } = await this.machine.fetch({ host, path, headers });
    return [status, body];
  }

  /** Sends a request as a visitor; returns status and `Location` header. */
  async leadsTo(path: string, host = this.name): Promise<string> {
    const { status, headers } = await this.machine.fetch({ host, path });
    return `${status} ${String(headers.location)}`;
  }

  /** Runs PHP code in the site, through its web server. */
  async php(code: string): Promise<string> {
    const name = `/run-${Math.random().toString(36).slice(2)}.php`;
    await this.put(name, `<?php ${code}`);
    const [status, body] = await this.get(name);
    return status === 200 ? body : `${status} ${body}`;
  }
}

/** Hashes the password of a folder as the panel does. */
export { hashFolderPassword };
