import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

import { ormOptions } from '../../ormconfig.js';

import { AppModule } from './app.module.js';
import { ClientAddress } from '../auth/index.js';
import { carryOutPrepared, noteRestored, refusePartialRestore } from '../backup/index.js';
import { loggerFor } from '../common/index.js';
import { type AppConfig, BaseUrl } from '../config/index.js';
import { createDatabase, refuseHalfRestored, serveAlone, ServedAlready, withStartUpLock, type Database } from '../database/index.js';
import { ENTRIES } from './entries.js';
import type { Entry } from './entry.js';
import { ensureFirstStart, type FirstStart } from './first-start.js';
import { SitesServer } from '../hosting/index.js';
import { BodyPace } from '../http/index.js';
import { listenProblem } from './listen-problem.js';
import { NestLog } from './nest-log.js';
import { TaskSignals } from '../agents/index.js';
import { NoticeStreams } from '../notify/index.js';
import { PluginReconciler, SafeModeLink } from '../plugin-registry/index.js';
import { describeStore } from '../store/index.js';
import { PanelAdapter } from './panel-adapter.js';
import { Readiness } from './readiness.js';
import { requestLog } from './request-log.js';

const log = loggerFor('panel');

/** A running panel. */
export interface Panel {
  readonly app: NestExpressApplication;
  readonly database: Database;
  /** Address of this process, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Port of the sites server; 0 where the process runs no panel. */
  readonly sitesPort: number;
  /** Path of the link that stops every plugin; empty where the process runs no panel. */
  readonly safeModePath: string;
  /** Enabled plugins that do not run. */
  readonly idlePlugins: readonly string[];
  /** What was made because there was nothing yet. */
  readonly firstStart: FirstStart;
  /** Goes on serving as before, but `/readyz` says that it ends, answers end their connections, and who sends nothing is cut off soon. */
  announceEnd(): void;
  /**
   * Stops serving, finishes what is under way, closes everything.
   *
   * @param patienceMs how long requests under way may take before they are cut
   */
  close(patienceMs?: number): Promise<void>;
}

/** How long requests may take to finish where nothing is given, in milliseconds. */
const PATIENCE_MS = 15_000;
/** How long nothing of a body may come while the process ends, in milliseconds. */
const ENDING_IDLE_MS = 3_000;

/** What this process is, for others that want the same SQLite file. */
const SERVING = 'panel';

/**
 * Two panels on one SQLite file wait for one another and lose nothing, so the second goes on, and says so; beside a restore it does not.
 */
function besideAnother(error: unknown): () => void {
  if (!(error instanceof ServedAlready) || error.holder?.what !== SERVING) throw error;
  log.warn({ holder: error.holder }, error.message);
  return () => undefined;
}

/**
 * Starts what SERVICES names, panel, store or both: database, migrations, first-start data, application, servers.
 *
 * @throws ConfigurationError when a port cannot be opened; ServedAlready where a restore has the SQLite file;
 * whatever had started is closed again
 */
export async function startPanel(config: AppConfig): Promise<Panel> {
  // Before anything is opened whose place it takes.
  await carryOutPrepared(config);
  const database = createDatabase(ormOptions(config));
  await database.dataSource.initialize();
  let app: NestExpressApplication | null = null;
  let letGo = (): void => undefined;
  try {
    const firstStart = await withStartUpLock(database, async () => {
      // Before anything is changed: another version may be at work on it.
      if (config.sqlitePath) letGo = await serveAlone(config.sqlitePath, SERVING).catch(besideAnother);
      await refuseHalfRestored(database);
      await refusePartialRestore(config, new Date());
      await database.dataSource.runMigrations();
      await noteRestored(database, config);
      return ensureFirstStart(database, config);
    });
    const { app: started, adapter } = await createApplication(config, database);
    app = started;
    await started.listen(config.port, config.host);
    const { port } = (started.getHttpServer() as Server).address() as AddressInfo;
    const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
    started.get(BaseUrl).listeningOn(port);
    const announceEnd = (): void => {
      started.get(Readiness).ending = true;
      started.get(BodyPace).hurry(ENDING_IDLE_MS);
      adapter.announceEnd();
      // They would never end by themselves.
      if (config.runs('panel')) {
        started.get(NoticeStreams, { strict: false }).endAll();
        started.get(TaskSignals, { strict: false }).endPolls();
      }
    };
    return {
      app: started,
      database,
      url,
      sitesPort: config.runs('panel') ? started.get(SitesServer).port : 0,
      safeModePath: config.runs('panel') ? started.get(SafeModeLink, { strict: false }).path : '',
      idlePlugins: config.runs('panel') ? idlePlugins(started.get(PluginReconciler, { strict: false })) : [],
      firstStart,
      announceEnd,
      close: async (patienceMs = PATIENCE_MS) => {
        announceEnd();
        // Before anything else closes: what is under way needs all of it.
        await adapter.stopServing(patienceMs);
        try {
          await started.close();
        } finally {
          await closeDatabase(database).finally(letGo);
        }
      },
    };
  } catch (error) {
    await app?.close().catch((problem: unknown) => log.error({ err: problem }, 'a start that failed could not be cleaned up'));
    await closeDatabase(database).finally(letGo);
    throw listenProblem(error, config);
  }
}

/** Nest has closed it with the application ({@link DatabaseModule}), unless there was none yet or its end failed half-way. */
async function closeDatabase(database: Database): Promise<void> {
  if (database.dataSource.isInitialized) await database.dataSource.destroy();
}

function idlePlugins(plugins: PluginReconciler): string[] {
  return [...new Set([...plugins.failures.keys(), ...plugins.startingSlugs])];
}

async function createApplication(config: AppConfig, database: Database): Promise<{ app: NestExpressApplication; adapter: PanelAdapter }> {
  const proxies = new ClientAddress(config);
  const adapter: PanelAdapter = new PanelAdapter(requestLog(), () => app.get<readonly Entry[]>(ENTRIES), {
    isProxy: (address) => proxies.isProxy(address),
  });
  const app: NestExpressApplication = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(config, database), adapter, {
    bodyParser: false,
    logger: new NestLog(),
    abortOnError: false,
  });
  if (config.runs('store')) describeStore(app);
  return { app, adapter };
}
