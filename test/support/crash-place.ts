import { IsNull, Not } from 'typeorm';

import { ormOptions } from '../../ormconfig.js';
import { startPanel, type Panel } from '../../src/app/bootstrap.js';
import { DemoVisitor } from '../../src/cli/demo-visitor.js';
import { AppConfig } from '../../src/config/index.js';
import { createDatabase, type Database } from '../../src/database/index.js';
import { HostingAccount } from '../../src/hosting/index.js';
import { JobRun, Task } from '../../src/jobs/index.js';

import { createStartedPlace, type TestPlace } from './database.js';
import { writePlugin } from './plugins.js';
import { ServerProcess } from './server-process.js';

const PAST = new Date('2020-01-01T00:00:00Z');

/** Panel process that is killed and started again, and a connection to its database. */
export class CrashPlace {
  private readonly running: ServerProcess[] = [];
  private readonly recovered: Panel[] = [];

  private constructor(
    readonly place: TestPlace,
    readonly database: Database,
    private readonly env: Record<string, string>,
  ) {}

  /** @param env environment variables of each of its panels and of their first start */
  static async create(env: Record<string, string> = {}): Promise<CrashPlace> {
    const place = await createStartedPlace(env);
    const database = createDatabase(ormOptions(place.config));
    await database.dataSource.initialize();
    return new CrashPlace(place, database, env);
  }

  get dataDir(): string {
    return this.place.dataDir;
  }

  /** Starts a panel and signs in its administrator. */
  async start(): Promise<{ panel: ServerProcess; admin: DemoVisitor }> {
    const panel = await ServerProcess.start(this.place, this.env);
    this.running.push(panel);
    await panel.ready();
    return { panel, admin: await this.signIn(panel.url) };
  }

  /**
   * Starts the panel that takes over from a killed one. It is not killed itself, so it runs in this process, which has the code loaded
   * already: a fifth of the work.
   */
  async recover(): Promise<{ panel: Panel; admin: DemoVisitor }> {
    const { dataDir, databaseUrl } = this.place;
    const panel = await startPanel(
      new AppConfig({
        DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl,
        PORT: '0',
        SITES_PORT: '0',
        CAPTCHA: 'off',
        SHUTDOWN_DRAIN_SECONDS: '0',
        ...this.env,
      }),
    );
    this.recovered.push(panel);
    return { panel, admin: await this.signIn(panel.url) };
  }

  private async signIn(url: string): Promise<DemoVisitor> {
    const admin = new DemoVisitor(url);
    await admin.operate('admin', { gn: 'login', user: 'admin', pass: 'svc-panel-admin' });
    return admin;
  }

  /** Installs and enables a plugin with this code. */
  async enable(admin: DemoVisitor, code: string): Promise<void> {
    writePlugin(this.dataDir, 'killer', code);
    await admin.operate('admin', { gn: 'plugin_install', slug: 'killer' });
    await admin.operate('admin', { gn: 'plugin_enable', slug: 'killer', enabled: 'true' });
  }

  /** Lets the leases of a dead process expire now. */
  async endClaims(): Promise<void> {
    await this.database.repository(HostingAccount).update({ claimedUntil: Not(IsNull()) }, { claimedUntil: PAST });
    await this.database.repository(JobRun).update({ running: Not(IsNull()) }, { leaseUntil: PAST });
    await this.database.repository(Task).update({ state: 'running' }, { dueAt: PAST });
  }

  async dispose(): Promise<void> {
    await Promise.all([
      ...this.running.splice(0).map((panel) => panel.stop('SIGKILL')),
      ...this.recovered.splice(0).map((panel) => panel.close()),
    ]);
    await this.database.dataSource.destroy();
    await this.place.dispose();
  }
}
