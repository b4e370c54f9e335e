import { createHash } from 'node:crypto';

import { Module, type FactoryProvider, type INestApplicationContext, type ValueProvider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { AuthModule } from '../../src/auth/index.js';
// oxlint-disable typescript/consistent-type-imports -- Nest finds these two by the types of parameters
import { AppConfig, ConfigModule } from '../../src/config/index.js';
import { Database, DatabaseModule } from '../../src/database/index.js';
import { SiteConfig } from '../../src/site/entities/index.js';
// oxlint-enable typescript/consistent-type-imports
import { DurableEvent } from '../../src/hooks/index.js';
import { EventOutbox } from '../../src/hooks/index.js';
import { HostingModule, HostingNode, NodeSystem, PASSWORD_HASHING, SitesServer } from '../../src/hosting/index.js';

import { ApiKeys } from '../../src/auth/index.js';
import { BackgroundQueue, ClockWatch, JobRuns } from '../../src/jobs/index.js';
import { AuditLog, Permissions, ServerScopes } from '../../src/operations/index.js';
import { SiteSettings } from '../../src/site/index.js';

import { createTestDatabase } from './database.js';

/** Reversible fake hash, so that tests can see which text was hashed; never the plain text itself. */
const fakeHash = (plain: string): string =>
  `hash(${plain.length > 90 ? createHash('sha256').update(plain).digest('hex') : [...plain].reverse().join('')})`;
const fakeHashing = {
  hash: (plain: string) => Promise.resolve(fakeHash(plain)),
  verify: (plain: string, stored: string) => Promise.resolve(fakeHash(plain) === stored),
};

/** Queue that never runs its tasks. */
const idleQueue = { add: () => Promise.resolve('1') };

@Module({
  providers: [
    ApiKeys,
    AuditLog,
    EventOutbox,
    JobRuns,
    ClockWatch,
    ServerScopes,
    SiteSettings,
    { provide: PASSWORD_HASHING, useValue: fakeHashing },
    { provide: BackgroundQueue, useValue: idleQueue },
    { provide: Permissions, useValue: { may: () => true } },
  ],
  exports: [
    ApiKeys,
    AuditLog,
    BackgroundQueue,
    ClockWatch,
    EventOutbox,
    JobRuns,
    Permissions,
    ServerScopes,
    SiteSettings,
    PASSWORD_HASHING,
  ],
})
class OutsideModule {}

/** Running hosting module with its database; the nodes `bh1` (keys `kt`, `qm`) and `fake1` (driver `fake`). */
export interface TestHosting {
  app: INestApplicationContext;
  database: Database;
  config: AppConfig;
  /** Returns the recorded events, oldest first. */
  events(): Promise<DurableEvent[]>;
  dispose(): Promise<void>;
}

/**
 * Starts the hosting module; the API key is `API`.
 *
 * @param providers replace those of the modules, such as a clock
 */
export async function createTestHosting(providers: (ValueProvider | FactoryProvider)[] = []): Promise<TestHosting> {
  const { database, place, dispose } = await createTestDatabase();
  await database.repository(SiteConfig).insert({ id: 1, api: 'API', payMethods: [], contact: '10001' });
  for (const [code, driver] of [
    ['bh1', 'embedded'],
    ['fake1', 'fake'],
  ] as const) {
    await database.repository(HostingNode).insert({
      code,
      codeKey: code,
      driver,
      openKey: 'kt',
      signatureKey: 'qm',
      system: NodeSystem.Linux,
      createdAt: new Date(),
    });
  }
  @Module({
    imports: [
      ConfigModule.forRoot(place.config),
      AuthModule,
      DatabaseModule.forRoot(database),
      HostingModule.forRoot([{ module: OutsideModule, providers, exports: providers.map(({ provide }) => provide) }]),
    ],
  })
  class TestModule {}
  const app = await NestFactory.createApplicationContext(TestModule, { logger: false, abortOnError: false });
  await app.get(SiteSettings).start();
  await app.get(SitesServer).start();
  return {
    app,
    database,
    config: place.config,
    events: () => database.repository(DurableEvent).find({ order: { id: 'ASC' } }),
    dispose: async () => {
      await app.close();
      await dispose();
    },
  };
}
