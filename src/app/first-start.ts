import { Administrator, Administrators, firstAdministrator, PasswordHasher, type FirstAdministrator } from '../auth/index.js';
import { Clock } from '../common/index.js';
import { type AppConfig, loadSecretKey, Secrets } from '../config/index.js';
import type { Database } from '../database/index.js';
import { CallingKeys, NodesService, sealServerKeys } from '../hosting/index.js';
import { checkSecretKey, ensureSiteConfig } from '../site/index.js';
import { ensureStoreAdministrator, storeNamesWithDefaultPassword } from '../store/index.js';

/**
 * What the first start created; null for an administrator that already existed. A panel and store created together get the same
 * administrator.
 */
export interface FirstStart {
  /** Administrator of the panel. */
  readonly administrator: FirstAdministrator | null;
  readonly storeAdministrator: FirstAdministrator | null;
  /** Names of administrators who still have the published default password. */
  readonly withDefaultPassword: { readonly panel: readonly string[]; readonly store: readonly string[] };
}

/** Creates what a new installation needs: configuration row, administrators, embedded node. Runs under the start-up lock. */
export async function ensureFirstStart(database: Database, config: AppConfig): Promise<FirstStart> {
  const clock = new Clock();
  const first = firstAdministrator(config);
  const hasher = new PasswordHasher();
  const administrator = config.runs('panel') ? await ensurePanel(database, config, hasher, clock, first) : null;
  const isNewStore = config.runs('store') && (await ensureStoreAdministrator(database, hasher, clock, first));
  const withDefaultPassword = {
    panel: config.runs('panel')
      ? await new Administrators(database.repository(Administrator), hasher, clock).namesWithDefaultPassword()
      : [],
    store: config.runs('store') ? await storeNamesWithDefaultPassword(database) : [],
  };
  return { administrator, storeAdministrator: isNewStore ? first : null, withDefaultPassword };
}

async function ensurePanel(
  database: Database,
  config: AppConfig,
  hasher: PasswordHasher,
  clock: Clock,
  first: FirstAdministrator,
): Promise<FirstAdministrator | null> {
  await ensureSiteConfig(database, config);
  const secrets = new Secrets(loadSecretKey(config.dataDir));
  await checkSecretKey(database, secrets, config);
  await sealServerKeys(database, secrets);
  await new NodesService(database, clock).ensureEmbeddedNode(new CallingKeys(secrets, clock));
  return new Administrators(database.repository(Administrator), hasher, clock).ensureFirstAdministrator(config, first);
}
