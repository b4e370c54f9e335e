import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { SchedulerRegistry } from '@nestjs/schedule';

import { startPanel, type Panel } from '../../app/bootstrap.js';
import { Clock } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { CronScheduler } from '../../jobs/index.js';
import type { TestClock, TestHost, TestOrder, TestPanel, TestPanelOptions, TestVisitor } from '../../sdk/testing.js';

import { packageFiles } from '../author/package-files.js';
import { readProject } from '../author/project.js';
import { makePlace, type Place } from './place.js';
import { heapInUse, tracesOf } from './traces.js';
import { Visitor } from './visitor.js';

type Fields = Readonly<Record<string, string>>;

/** Cycles until caches are as large as they get. */
const WARM_UP = 10;
/** Bytes a cycle may keep: a bundle that is never let go of is many times that. */
const MAX_BYTES_PER_CYCLE = 32 * 1024;
/** Bytes that come and go with the panel's own work. */
const NOISE_BYTES = 2 * 1024 * 1024;

/** See `startTestPanel` of `@svc/sdk/testing`. */
export async function startTestPanel({ database, env = {} }: TestPanelOptions = {}): Promise<TestPanel> {
  const place = await makePlace(database);
  const password = randomBytes(12).toString('hex');
  const config = new AppConfig({
    DATA_DIR: place.dataDir,
    DATABASE_URL: place.databaseUrl,
    PORT: '0',
    SITES_PORT: '0',
    SERVICES: 'panel,worker',
    CAPTCHA: 'off',
    RATE_LIMIT: 'off',
    ADMIN_PASSWORD: password,
    ...env,
  });
  try {
    const panel = await startPanel(config);
    // A full minute that passes in the middle of a test would run jobs the test knows nothing of.
    for (const job of panel.app.get(SchedulerRegistry, { strict: false }).getCronJobs().values()) void job.stop();
    const admin = await new Visitor(panel.url, 'admin').signIn(env.ADMIN_USERNAME ?? 'admin', env.ADMIN_PASSWORD ?? password);
    return new InProcessPanel(panel, place, admin);
  } catch (error) {
    await place.dispose();
    throw error;
  }
}

/** A panel in this process; see {@link TestPanel}. */
class InProcessPanel implements TestPanel {
  readonly clock: TestClock;
  private made = 0;

  constructor(
    private readonly panel: Panel,
    private readonly place: Place,
    private readonly admin: Visitor,
  ) {
    this.clock = clockOf(panel);
  }

  get url(): string {
    return this.panel.url;
  }

  get dataDir(): string {
    return this.place.dataDir;
  }

  async installPlugin(folder: string): Promise<string> {
    const project = readProject(resolve(folder));
    const target = join(this.dataDir, 'plugins', project.slug);
    rmSync(target, { recursive: true, force: true });
    for (const { path, content } of packageFiles(project)) {
      mkdirSync(dirname(join(target, path)), { recursive: true });
      writeFileSync(join(target, path), content);
    }
    await this.admin.require('plugin_install', { slug: project.slug });
    await this.switchPlugin(project.slug, true);
    return project.slug;
  }

  async as(who: 'admin' | 'nobody' | TestHost): Promise<TestVisitor> {
    if (who === 'admin') return this.admin;
    const visitor = new Visitor(this.url, 'user');
    return who === 'nobody' ? visitor : visitor.signIn(who.user, who.password);
  }

  async host(fields: Fields = {}): Promise<TestHost> {
    this.made += 1;
    const user = fields.user ?? `owner${String(this.made).padStart(3, '0')}`;
    const password = fields.pass ?? `secret-${randomBytes(6).toString('hex')}`;
    const answer = await this.admin.require('addzj', { btdh: 'local', ...fields, user, pass: password });
    return { id: Number(answer.id), user, password };
  }

  async order(fields: Fields = {}): Promise<TestOrder> {
    const usual = { user: 'nobody', scene: 'test', name: 'Test', rmb: '9.90' };
    const answer = await this.admin.require('adddd', { ...usual, ...fields });
    return { id: Number(answer.id), ddh: String(answer.ddh) };
  }

  async pay({ id }: TestOrder): Promise<void> {
    await this.admin.require('ddbz', { id: String(id), yy: 'test' });
  }

  async expectNoTrace(slug: string, cycles = 100): Promise<void> {
    const cycle = async (): Promise<void> => {
      await this.switchPlugin(slug, true);
      await this.switchPlugin(slug, false);
    };
    for (let i = 0; i < WARM_UP; i += 1) await cycle();
    const [before, bytes] = [await tracesOf(this.panel.app, this.dataDir, slug), await heapInUse()];
    for (let i = 0; i < cycles; i += 1) await cycle();
    const [after, more] = [await tracesOf(this.panel.app, this.dataDir, slug), (await heapInUse()) - bytes];
    await this.switchPlugin(slug, true);
    const left = Object.entries(after).filter(([what, count]) => count > (before[what] ?? 0));
    const lines = left.map(([what, count]) => `${what}: ${before[what] ?? 0} before, ${count} after`);
    if (more > cycles * MAX_BYTES_PER_CYCLE + NOISE_BYTES) lines.push(`memory: ${Math.round(more / cycles / 1024)} KB more for each time`);
    if (lines.length > 0)
      throw new Error(`${slug} leaves something behind when it was switched on and off ${cycles} times:\n  ${lines.join('\n  ')}`);
  }

  async close(): Promise<void> {
    await this.panel.close();
    await this.place.dispose();
  }

  private async switchPlugin(slug: string, enabled: boolean): Promise<void> {
    await this.admin.require('plugin_enable', { slug, enabled: String(enabled) });
  }
}

function clockOf({ app }: Panel): TestClock {
  const clock = app.get(Clock, { strict: false });
  const bootedFor = clock.sinceBoot.bind(clock);
  // The machine runs for as much longer: time goes by, and nobody has set its clock.
  const set = (moment: Date): void => {
    const [at, ahead] = [moment.getTime(), moment.getTime() - Date.now()];
    clock.now = () => new Date(at);
    clock.sinceBoot = () => bootedFor() + ahead;
  };
  return {
    now: () => clock.now(),
    set,
    advance: (milliseconds) => set(new Date(clock.now().getTime() + milliseconds)),
    minute: async () =>
      void (await app.get(CronScheduler, { strict: false }).tick(new Date(Math.floor(clock.now().getTime() / 60_000) * 60_000))),
  };
}
