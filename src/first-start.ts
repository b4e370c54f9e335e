import { Administrators, PasswordHasher } from './auth/index.js';
import { Clock } from './common/index.js';
import type { AppConfig } from './config/index.js';
import type { Database } from './database/index.js';
import { NodesService } from './hosting/index.js';
import { ensureSiteConfig } from './site/index.js';

/** What a new installation got; `administrator` is null where one existed. */
export interface FirstStart {
  readonly administrator: { username: string; password: string; kind: 'given' | 'default' | 'random' } | null;
}

/** Makes what a new installation needs: configuration row, administrator, embedded node. Runs under the start-up lock. */
export async function ensureFirstStart(database: Database, config: AppConfig): Promise<FirstStart> {
  const clock = new Clock();
  await ensureSiteConfig(database, config);
  await new NodesService(database, clock).ensureEmbeddedNode();
  const hasher = new PasswordHasher();
  try {
    return { administrator: await new Administrators(database, hasher, clock).ensureFirstAdministrator(config) };
  } finally {
    await hasher.onApplicationShutdown();
  }
}
