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
  /** Port of the sites server; 0 if the process runs no panel. */
  readonly sitesPort: number;
  /** Path of the link that stops every plugin; empty if the process runs no panel. */
  readonly safeModePath: string;
  /** Enabled plugins that do not run. */
  readonly idlePlugins: readonly string[];
  /** What the first start created. */
  readonly firstStart: FirstStart;
  /**
   * Announces the shutdown and continues to serve: `/readyz` reports the shutdown, answers close their connections, and silent clients are
   * disconnected soon.
   */
  announceEnd(): void;
  /**
   * Stops serving, waits for running work, and closes everything.
   *
   * @param patienceMs how long running requests may take before they are aborted
   */
  close(patienceMs?: number): Promise<void>;
}

/** Default time for running requests to finish, in milliseconds. */
const PATIENCE_MS = 15_000;
/** Idle limit of request bodies during shutdown, in milliseconds. */
const ENDING_IDLE_MS = 3_000;

/** Name of this process for other processes that want the same SQLite file. */
const SERVING = 'panel';

/**
 * Two panels on one SQLite file wait for each other's locks and lose nothing, so the second one starts with a warning; during a restore it
 * does not start.
 */
function allowAnotherPanel(error: unknown): () => void {
  if (!(error instanceof ServedAlready) || error.holder?.what !== SERVING) throw error;
  log.warn({ holder: error.holder }, error.message);
  return () => undefined;
}

/**
 * Starts the services that SERVICES names, panel, store or both: database, migrations, first-start data, application, servers.
 *
 * @throws ConfigurationError when a port cannot be opened; ServedAlready while a restore holds the SQLite file; everything already started
 *   is closed again
 */
export async function startPanel(config: AppConfig): Promise<Panel> {
  // Before any file that it replaces is opened.
  await carryOutPrepared(config);
  const database = createDatabase(ormOptions(config));
  await database.dataSource.initialize();
  let app: NestExpressApplication | null = null;
  let releaseFile = (): void => undefined;
  try {
    const firstStart = await withStartUpLock(database, async () => {
      // Before anything is changed: another version may be using the file.
      if (config.sqlitePath) releaseFile = await serveAlone(config.sqlitePath, SERVING).catch(allowAnotherPanel);
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
      started.get(BodyPace).shortenIdle(ENDING_IDLE_MS);
      adapter.announceEnd();
      // These requests would never end on their own.
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
        // Before anything else closes, since running requests need all of it.
        await adapter.stopServing(patienceMs);
        try {
          await started.close();
        } finally {
          await closeDatabase(database).finally(releaseFile);
        }
      },
    };
  } catch (error) {
    await app?.close().catch((problem: unknown) => log.error({ err: problem }, 'cleaning up a failed start failed'));
    await closeDatabase(database).finally(releaseFile);
    throw listenProblem(error, config);
  }
}

/** Nest closes it with the application ({@link DatabaseModule}), unless the application was not created yet or failed to close. */
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
