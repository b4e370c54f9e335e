import './src/config/timezone.js';
import 'reflect-metadata';

import type { DataSource } from 'typeorm';

import * as authEntities from './src/auth/entities/index.js';
import * as backupEntities from './src/backup/entities/index.js';
import { AppConfig } from './src/config/index.js';
import * as containerEntities from './src/container/entities/index.js';
import { Generation, createDatabase, dataSourceOptions } from './src/database/index.js';
import * as couponEntities from './src/coupons/entities/index.js';
import * as receiptEntities from './src/receipts/entities/index.js';
import * as customerEntities from './src/customers/entities/index.js';
import * as dnsEntities from './src/dns/entities/index.js';
import * as eventEntities from './src/hooks/events/event.entities.js';
import { ClockMark } from './src/jobs/clock-watch.entity.js';
import { JobRun } from './src/jobs/job-run.entity.js';
import { Restored } from './src/jobs/restored.entity.js';
import { Task } from './src/jobs/background/task.entity.js';
import * as hostingEntities from './src/hosting/entities/index.js';
import * as ledgerEntities from './src/ledger/entities/index.js';
import * as monitorEntities from './src/monitor/entities/index.js';
import * as nodeEntities from './src/agents/entities/index.js';
import * as notifyEntities from './src/notify/entities/index.js';
import * as operationEntities from './src/operations/entities/index.js';
import * as packageEntities from './src/packages/entities/index.js';
import * as paymentEntities from './src/payment/entities/index.js';
import * as pluginEntities from './src/plugin-registry/entities/index.js';
import * as pluginStoreEntities from './src/plugin-store/entities/index.js';
import * as renewalEntities from './src/renewal/entities/index.js';
import * as siteEntities from './src/site/entities/index.js';
import * as storeEntities from './src/store/entities/index.js';

type EntityClass = new () => object;

/** All entities of the product. */
export const entities: EntityClass[] = [
  Generation,
  ClockMark,
  JobRun,
  Restored,
  Task,
  ...[
    authEntities,
    backupEntities,
    containerEntities,
    couponEntities,
    receiptEntities,
    customerEntities,
    dnsEntities,
    eventEntities,
    hostingEntities,
    ledgerEntities,
    monitorEntities,
    nodeEntities,
    notifyEntities,
    operationEntities,
    packageEntities,
    paymentEntities,
    pluginEntities,
    pluginStoreEntities,
    renewalEntities,
    siteEntities,
    storeEntities,
  ].flatMap((module) => Object.values(module).filter((value): value is EntityClass => typeof value === 'function')),
];

/** Data source options for this configuration. */
export const ormOptions = (config: AppConfig) => dataSourceOptions(config, entities);

/**
 * For TypeORM's command line (`npm run typeorm -- migration:show`), which awaits the default export. Created lazily: the app also imports
 * this file, with its own configuration, and must not read the environment a second time.
 */
const commandLineDataSource: PromiseLike<DataSource> = {
  then: (resolve, reject) =>
    Promise.resolve()
      .then(() => createDatabase(ormOptions(new AppConfig())).dataSource)
      .then(resolve, reject),
};
export default commandLineDataSource;
