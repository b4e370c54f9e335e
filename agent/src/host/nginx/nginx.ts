import * as fs from 'node:fs/promises';
import path from 'node:path';

import { dropFile, putFile, putFolder, readText } from '../files.js';
import type { HostingConfig } from '../../config/hosting-config.js';
import { failureOfProgram, runProgram } from '../programs/run-program.js';
import { HostRefusal } from '../refusal.js';
import type { Services } from '../services/services.js';
import type { SiteRecord } from '../records/site-record.js';
import { groupOf } from '../users/system-users.js';
import { passwordFiles } from './access-rules.js';
import { foreignNames } from './foreign-names.js';
import { siteConfig } from './site-config.js';
import type { SitePaths } from './site-paths.js';
import { reloadAndWait } from './worker-change.js';

const FILE = { mode: 0o644 } as const;
/** Maximum length of the configuration dump in characters; enough for some thousand sites. */
const MAX_CONFIGURATION = 64 * 1024 * 1024;

/** Configuration that all sites share, in the context `http`. */
const SHARED = `# Written by svc-agent, again with every start.
# nginx has no other way to write a "$" that is none of a variable.
geo $svc_dollar { default "$"; }
server_names_hash_bucket_size 512;
server_names_hash_max_size 8192;
variables_hash_max_size 8192;
map_hash_bucket_size 512;
`;

/**
 * Manages the nginx of this server (Debian layout) with one file per site. A new file is first tested together with all others in a staging
 * folder, then with the whole live configuration; if nginx rejects it, the previous file is restored. Only then nginx is reloaded.
 */
export class Nginx {
  private queue: Promise<unknown> = Promise.resolve();
  private readonly live: string;
  private readonly staged: string;

  constructor(
    private readonly config: HostingConfig,
    private readonly services: Services,
  ) {
    this.live = path.join(config.settings, 'nginx', 'sites');
    this.staged = path.join(config.settings, 'nginx', 'staged');
  }

  /** Writes the shared configuration. @param extra further files of the context `http`, by name */
  async prepare(extra: ReadonlyMap<string, string> = new Map()): Promise<void> {
    // Remains of a test interrupted by a crash.
    await fs.rm(this.staged, { recursive: true, force: true });
    for (const folder of [this.live, path.join(this.config.settings, 'nginx', 'passwords')])
      await fs.mkdir(folder, { recursive: true, mode: 0o755 });
    await putFile(this.file('shared.conf'), SHARED, FILE);
    await putFile(this.file('staged.conf'), this.stage(), FILE);
    await putFile(path.join(this.live, '000-none.conf'), this.nobody(), FILE);
    for (const [name, content] of extra) await putFile(path.join(this.live, name), content, FILE);
    await putFile('/etc/nginx/conf.d/svc-hosting.conf', `include ${this.file('shared.conf')};\ninclude ${this.live}/*.conf;\n`, FILE);
    await this.reload();
  }

  /** Writes the virtual hosts of a site. @throws HostRefusal `CONFIG`: the live configuration is unchanged */
  async apply(site: SiteRecord, paths: SitePaths): Promise<void> {
    const content = siteConfig(site, paths, this.config);
    await this.serialized(async () => {
      // nginx reads password files on every request, so no reload is needed.
      await this.putPasswords(site, paths);
      if ((await this.put(`${site.user}.conf`, content)) || !(await this.services.isRunning('nginx'))) await this.reload();
    });
  }

  /**
   * Rewrites the virtual hosts of all sites in the format of this agent version with a single reload. Unchanged and missing files are
   * skipped.
   *
   * @returns errors of sites this version cannot express any more; they keep their files
   * @throws HostRefusal `CONFIG`: no file is changed
   */
  async renew(sites: readonly (readonly [SiteRecord, SitePaths])[]): Promise<Map<SiteRecord, HostRefusal>> {
    const refused = new Map<SiteRecord, HostRefusal>();
    await this.serialized(async () => {
      const before = new Map<string, string>();
      const after = new Map<string, string>();
      for (const [site, paths] of sites) {
        const content = configOrRefusal(site, paths, this.config);
        if (typeof content !== 'string') {
          refused.set(site, content);
          continue;
        }
        const file = path.join(this.live, `${site.user}.conf`);
        const present = await readText(file);
        if (present === null || present === content) continue;
        before.set(file, present);
        after.set(file, content);
      }
      if (before.size === 0) return;
      await this.change(before, async () => {
        for (const [file, content] of after) await putFile(file, content, FILE);
      });
      await this.reload();
    });
    return refused;
  }

  /**
   * Removes the virtual hosts of a site.
   *
   * @throws HostRefusal `CONFIG` if nginx would reject the configuration, as it would keep serving the site
   */
  async drop({ user }: Pick<SiteRecord, 'user'>, paths: SitePaths): Promise<void> {
    await this.serialized(async () => {
      const file = path.join(this.live, `${user}.conf`);
      const before = await readText(file);
      if (before !== null) {
        await this.change(new Map([[file, before]]), () => dropFile(file));
      }
      await fs.rm(paths.passwords, { recursive: true, force: true });
      if (before !== null) await this.reload();
    });
  }

  /**
   * Returns the server names of virtual hosts the agent does not manage: those of the server's owner, and Adminer.
   *
   * @throws HostRefusal `CONFIG` if nginx rejects the present configuration
   */
  foreignNames(): Promise<Set<string>> {
    return this.serialized(async () => {
      const whole = await runProgram('nginx', ['-T', '-q'], { maxOutput: MAX_CONFIGURATION });
      // Its output is other people's configuration and must not be part of the error.
      if (whole.code !== 0) throw failureOfProgram({ ...whole, stdout: '' }, 'CONFIG', 'nginx rejected the configuration');
      const { httpPort, httpsPort } = this.config;
      return foreignNames(whole.stdout, (file) => file.startsWith(`${this.live}/svc`), [httpPort, httpsPort]);
    });
  }

  private async put(name: string, content: string): Promise<boolean> {
    const file = path.join(this.live, name);
    const before = await readText(file);
    if (before === content) return false;
    await this.tryStaged(name, content);
    await this.change(new Map([[file, before]]), () => putFile(file, content, FILE));
    return true;
  }

  /**
   * Changes live files; if that fails or nginx rejects the result, restores the contents of `before`.
   *
   * @throws HostRefusal `CONFIG`
   */
  private async change(before: ReadonlyMap<string, string | null>, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      const whole = await runProgram('nginx', ['-t', '-q']);
      if (whole.code !== 0) throw failureOfProgram(whole, 'CONFIG', 'nginx rejected the configuration');
    } catch (error) {
      for (const [file, content] of before) await (content === null ? dropFile(file) : putFile(file, content, FILE));
      throw error;
    }
  }

  /** Tests a file together with those of all other sites in the staging folder. */
  private async tryStaged(name: string, content: string): Promise<void> {
    await fs.rm(this.staged, { recursive: true, force: true });
    await fs.mkdir(this.staged, { mode: 0o755 });
    for (const other of await fs.readdir(this.live))
      if (other !== name && other.endsWith('.conf')) await fs.symlink(path.join(this.live, other), path.join(this.staged, other));
    await putFile(path.join(this.staged, name), content, FILE);
    const test = await runProgram('nginx', ['-t', '-q', '-c', this.file('staged.conf')]);
    await fs.rm(this.staged, { recursive: true, force: true });
    if (test.code !== 0) throw failureOfProgram(test, 'CONFIG', 'nginx rejected the configuration');
  }

  /** Virtual hosts for unknown names. They come first in file order and are used unless the server's owner has another default. */
  private nobody(): string {
    const { httpPort, httpsPort } = this.config;
    const host = (port: number, how: string, answer: string): string =>
      `server {\nlisten ${port}${how};\nlisten [::]:${port}${how};\nserver_name _;\n${answer}\n}\n`;
    return `${host(httpPort, '', 'return 404;')}${host(httpsPort, ' ssl http2', 'ssl_reject_handshake on;')}`;
  }

  private reload(): Promise<void> {
    return reloadAndWait(() => this.services.reload('nginx'));
  }

  private stage(): string {
    return `# What nginx is tried with before a file of a site goes live.
pid ${this.config.run}/nginx-staged.pid;
error_log /dev/null;
events {}
http {
include /etc/nginx/mime.types;
include ${this.file('shared.conf')};
include ${this.staged}/*.conf;
}
`;
  }

  private async putPasswords(site: SiteRecord, { passwords }: SitePaths): Promise<void> {
    const files = passwordFiles(site);
    const gid = (await groupOf(this.config.webUser)) ?? 0;
    if (files.size === 0) return fs.rm(passwords, { recursive: true, force: true });
    await putFolder(passwords, { mode: 0o750, gid });
    for (const name of await fs.readdir(passwords)) if (!files.has(name)) await dropFile(path.join(passwords, name));
    for (const [name, content] of files) await putFile(path.join(passwords, name), content, { mode: 0o640, gid });
  }

  private file(name: string): string {
    return path.join(this.config.settings, 'nginx', name);
  }

  private serialized<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.queue.then(work);
    this.queue = mine.catch(() => undefined);
    return mine;
  }
}

function configOrRefusal(site: SiteRecord, paths: SitePaths, config: HostingConfig): string | HostRefusal {
  try {
    return siteConfig(site, paths, config);
  } catch (error) {
    if (error instanceof HostRefusal) return error;
    throw error;
  }
}
