import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

import { ormOptions } from '../ormconfig.js';

import { AppModule } from './app.module.js';
import { NestLog } from './nest-log.js';
import { type AppConfig, BaseUrl } from './config/index.js';
import { createDatabase, withStartUpLock, type Database } from './database/index.js';
import { ensureFirstStart, type FirstStart } from './first-start.js';
import { SitesServer } from './hosting/index.js';
import { AjaxEntry } from './operations/index.js';
import { PanelAdapter } from './panel-adapter.js';
import { requestLog } from './request-log.js';

/** A running panel. */
export interface Panel {
  readonly app: NestExpressApplication;
  readonly database: Database;
  /** Address of this process, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Port of the sites server. */
  readonly sitesPort: number;
  /** What was made because there was nothing yet. */
  readonly firstStart: FirstStart;
  /** Stops serving, finishes what is under way, closes everything. */
  close(): Promise<void>;
}

/** Starts the panel: database, migrations, first-start data, application, servers. */
export async function startPanel(config: AppConfig): Promise<Panel> {
  const database = createDatabase(ormOptions(config));
  await database.dataSource.initialize();
  try {
    const firstStart = await withStartUpLock(database, async () => {
      await database.dataSource.runMigrations();
      return ensureFirstStart(database, config);
    });
    const app = await createApplication(config, database);
    await app.listen(config.port, config.host);
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
    app.get(BaseUrl).listeningOn(port);
    return {
      app,
      database,
      url,
      sitesPort: app.get(SitesServer).port,
      firstStart,
      close: async () => {
        await app.close();
        if (database.dataSource.isInitialized) await database.dataSource.destroy();
      },
    };
  } catch (error) {
    await database.dataSource.destroy();
    throw error;
  }
}

async function createApplication(config: AppConfig, database: Database): Promise<NestExpressApplication> {
  const adapter = new PanelAdapter(requestLog());
  const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(config, database), adapter, {
    bodyParser: false,
    logger: new NestLog(),
    abortOnError: false,
  });
  const ajax = app.get(AjaxEntry);
  adapter.useShortcut((req, res) => ajax.take(req, res));
  return app;
}
