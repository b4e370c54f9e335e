import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { PACKAGE_ROOT } from '../../src/common/index.js';
import { DEFAULT_ADMIN_PASSWORD } from '../../src/config/index.js';

import type { AjaxAnswer, PluginRow } from './panel.js';

/** Panel process that runs the compiled program, as in production. */
export class PanelProcess {
  private cookie = '';
  private output = '';

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** Starts the panel on a data folder and database and waits until it is ready. */
  static async start(dataDir: string, databaseUrl: string): Promise<PanelProcess> {
    const main = join(PACKAGE_ROOT, 'dist/src/main.js');
    if (!existsSync(main)) throw new Error('This test runs the compiled code: npm run build first.');
    const env = {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      PORT: '0',
      SITES_PORT: '0',
      CAPTCHA: 'off',
      RATE_LIMIT: 'off',
      // No load balancer has to notice the shutdown first.
      SHUTDOWN_DRAIN_SECONDS: '0',
      LOG_LEVEL: 'info',
    };
    const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const url = await new Promise<string>((resolve, reject) => {
      const read = (chunk: Buffer): void => {
        output += chunk.toString();
        const found = /http:\/\/127\.0\.0\.1:\d+(?=\/admin)/.exec(output);
        if (found) resolve(found[0]);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('exit', (code) => reject(new Error(`The panel ended with ${code}:\n${output.slice(-2_000)}`)));
    });
    const panel = new PanelProcess(child, url);
    panel.output = output;
    child.stdout.on('data', (chunk: Buffer) => (panel.output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (panel.output += chunk.toString()));
    await panel.signIn();
    return panel;
  }

  /** Output so far. */
  get log(): string {
    return this.output;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  async admin(gn: string, fields: Record<string, string> = {}): Promise<AjaxAnswer> {
    const response = await this.post('admin', { gn, ...fields });
    return (await response.json()) as AjaxAnswer;
  }

  async enable(slug: string): Promise<void> {
    const answer = await this.admin('plugin_enable', { slug, enabled: 'true' });
    if (!answer.success) throw new Error(`${slug}: ${answer.code}`);
  }

  async row(slug: string): Promise<PluginRow | undefined> {
    return (await this.admin('plugin_list')).rows.find((row) => row.slug === slug);
  }

  post(side: 'admin' | 'user', fields: Record<string, string>): Promise<Response> {
    return fetch(`${this.url}/${side}/ajax.php`, { method: 'POST', headers: { Cookie: this.cookie }, body: new URLSearchParams(fields) });
  }

  /** Returns the HTML of a page, as administrator. */
  async page(path: string): Promise<string> {
    return (await fetch(`${this.url}${path}`, { headers: { Cookie: this.cookie } })).text();
  }

  /** Sends SIGTERM, waits for the exit and returns the exit code. */
  async stop(): Promise<number | null> {
    if (!this.running) return this.child.exitCode;
    const ended = once(this.child, 'exit') as Promise<[number | null]>;
    this.child.kill('SIGTERM');
    const [code] = await ended;
    return code;
  }

  private async signIn(): Promise<void> {
    const response = await this.post('admin', { gn: 'login', user: 'admin', pass: DEFAULT_ADMIN_PASSWORD });
    this.cookie = response.headers
      .getSetCookie()
      .find((line) => line.startsWith('admin_token='))!
      .split(';')[0]!;
  }
}
