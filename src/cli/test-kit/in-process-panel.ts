import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { SchedulerRegistry } from '@nestjs/schedule';

import { startPanel, type Panel } from '../../app/index.js';
import { Clock, OutboundHttp } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { EventDispatcher } from '../../hooks/index.js';
import { BackgroundQueue, CronScheduler, MINUTE_TICK } from '../../jobs/index.js';
import { Mailer } from '../../notify/index.js';
import { Dispatch } from '../../payment/index.js';
import { DEFAULT_THEME, ThemeCatalogue, type ThemeSide } from '../../theme/index.js';
import type { TestClock, TestGateway, TestHost, TestOrder, TestPanel, TestPanelOptions, TestVisitor } from '../../sdk/testing.js';

import { packageFiles } from '../author/package-files.js';
import { readProject, type Project } from '../author/project.js';
import { FakeHttp } from './fakes/fake-http.js';
import { FakeMail } from './fakes/fake-mail.js';
import { SANDBOX, SandboxGateway } from './fakes/sandbox-gateway.js';
import { createInstallation, type TestInstallation } from './test-installation.js';
import { expectSoundTheme } from './sound-theme.js';
import { heapInUse, tracesOf } from './traces.js';
import { Visitor } from './visitor.js';

type Fields = Readonly<Record<string, string>>;

/** Cycles before measuring, until caches are filled. */
const WARM_UP = 10;
/** Bytes a cycle may leak; a bundle that is never released is many times larger. */
const MAX_BYTES_PER_CYCLE = 32 * 1024;
/** Fluctuation caused by the panel's own work, in bytes. */
const NOISE_BYTES = 2 * 1024 * 1024;

const SETTLE_TIMEOUT_MS = 15_000;

/** See `startTestPanel` of `@svc/sdk/testing`. */
export async function startTestPanel({ database, env = {} }: TestPanelOptions = {}): Promise<TestPanel> {
  const installation = await createInstallation(database ?? (process.env.SVC_TEST_DATABASE || undefined));
  const password = randomBytes(12).toString('hex');
  const config = new AppConfig({
    DATA_DIR: installation.dataDir,
    DATABASE_URL: installation.databaseUrl,
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
    // Stopped, because the minute tick would run jobs in the middle of a test.
    void panel.app.get(SchedulerRegistry, { strict: false }).getCronJob(MINUTE_TICK).stop();
    const admin = await new Visitor(panel.url, 'admin').signIn(env.ADMIN_USERNAME ?? 'admin', env.ADMIN_PASSWORD ?? password);
    const http = await FakeHttp.install(panel.app.get(OutboundHttp, { strict: false }), config.outboundAllow);
    const mail = FakeMail.install(panel.app.get(Mailer, { strict: false }));
    return new InProcessPanel(panel, installation, admin, http, mail);
  } catch (error) {
    await installation.dispose();
    throw error;
  }
}

/** A panel in the test process; see {@link TestPanel}. */
class InProcessPanel implements TestPanel {
  readonly clock: TestClock;
  private made = 0;

  constructor(
    private readonly panel: Panel,
    private readonly installation: TestInstallation,
    private readonly admin: Visitor,
    readonly http: FakeHttp,
    readonly mail: FakeMail,
  ) {
    this.clock = clockOf(panel);
  }

  get url(): string {
    return this.panel.url;
  }

  get dataDir(): string {
    return this.installation.dataDir;
  }

  async installPlugin(folder: string): Promise<string> {
    const slug = this.putFiles(folder, 'plugin');
    await this.enablePlugin(slug);
    return slug;
  }

  async installTheme(folder: string): Promise<string> {
    const name = this.putFiles(folder, 'theme');
    await this.admin.require('theme_reload');
    const theme = this.panel.app.get(ThemeCatalogue, { strict: false }).package(name);
    if (!theme) throw new Error(`The panel cannot load the theme ${name}: check its theme.json and its name.`);
    const on = (side: ThemeSide): string => (theme.info.sides.includes(side) ? name : DEFAULT_THEME);
    await this.admin.require('settheme', { usertheme: on('user'), admintheme: on('admin'), hometheme: on('home') });
    return name;
  }

  expectSoundTheme(name: string): Promise<number> {
    return expectSoundTheme(this.panel.app, name);
  }

  async enablePlugin(slug: string): Promise<void> {
    await this.admin.require('plugin_install', { slug });
    await this.switchPlugin(slug, true);
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
    const defaults = { user: 'nobody', scene: 'test', name: 'Test', rmb: '9.90' };
    const answer = await this.admin.require('adddd', { ...defaults, ...fields });
    return { id: Number(answer.id), ddh: String(answer.ddh) };
  }

  async pay({ id }: TestOrder): Promise<void> {
    await this.admin.require('ddbz', { id: String(id), yy: 'test' });
  }

  async settled(): Promise<void> {
    const events = this.panel.app.get(EventDispatcher, { strict: false });
    const queue = this.panel.app.get(BackgroundQueue, { strict: false });
    const ends = async (): Promise<void> => {
      // Events may queue tasks, and tasks may emit events.
      for (let i = 0; i < 2; i += 1) {
        await events.idle();
        await queue.idle();
      }
    };
    let late: NodeJS.Timeout | undefined;
    const tooLong = new Promise<never>((_, reject) => {
      late = setTimeout(() => reject(new Error('Events or background tasks are still running after 15 seconds.')), SETTLE_TIMEOUT_MS);
    });
    await Promise.race([ends(), tooLong]).finally(() => clearTimeout(late));
  }

  async gateway(): Promise<TestGateway> {
    await this.enablePlugin(SANDBOX);
    return new SandboxGateway(this.panel.app.get(Dispatch, { strict: false }), new Visitor(this.url, 'user'));
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
    const remains = Object.entries(after).filter(([what, count]) => count > (before[what] ?? 0));
    const lines = remains.map(([what, count]) => `${what}: ${before[what] ?? 0} before, ${count} after`);
    if (more > cycles * MAX_BYTES_PER_CYCLE + NOISE_BYTES) lines.push(`memory: ${Math.round(more / cycles / 1024)} KB more per cycle`);
    if (lines.length > 0)
      throw new Error(`${slug} leaves resources behind after it was enabled and disabled ${cycles} times:\n  ${lines.join('\n  ')}`);
  }

  async close(): Promise<void> {
    this.mail.close();
    await this.panel.close();
    await this.http.close();
    await this.installation.dispose();
  }

  /** Writes the package of a project folder to the panel's data folder. @returns its name */
  private putFiles(folder: string, type: Project['type']): string {
    const project = readProject(resolve(folder));
    if (project.type !== type) throw new Error(`${project.slug} is a ${project.type}, not a ${type}.`);
    const target = join(this.dataDir, `${type}s`, project.slug);
    rmSync(target, { recursive: true, force: true });
    for (const { path, content } of packageFiles(project)) {
      mkdirSync(dirname(join(target, path)), { recursive: true });
      writeFileSync(join(target, path), content);
    }
    return project.slug;
  }

  private async switchPlugin(slug: string, enabled: boolean): Promise<void> {
    await this.admin.require('plugin_enable', { slug, enabled: String(enabled) });
  }
}

function clockOf({ app }: Panel): TestClock {
  const clock = app.get(Clock, { strict: false });
  const bootedFor = clock.sinceBoot.bind(clock);
  // The monotonic clock advances equally, so that this looks like elapsed time and not like a clock change.
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
