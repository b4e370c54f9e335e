import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { Abstract, Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';

import { Database } from '../../database/index.js';
import { DurableListeners, HookRegistry } from '../../hooks/index.js';
import { HomeRegistry, OperationRegistry, Routes } from '../../operations/index.js';
import { PaymentRegistry } from '../../payment/index.js';
import { MenuRegistry, OverrideRegistry, SettingsTabRegistry, WidgetRegistry } from '../../theme/index.js';
import { PageRegistry } from '../../web/index.js';

/** Counts of a plugin's remains, by type. */
export type Traces = Readonly<Record<string, number>>;

/**
 * Counts what remains of a disabled plugin: registrations, servers, processes, process listeners, files in its folder, rows in its tables.
 */
export async function tracesOf(app: NestExpressApplication, dataDir: string, slug: string): Promise<Traces> {
  const get = <T>(type: Type<T> | Abstract<T>): T => app.get(type, { strict: false });
  const owned = (list: readonly { owner: string }[]): number => list.filter(({ owner }) => owner === slug).length;
  const folder = join(dataDir, 'plugins', slug);
  const counts: Record<string, number> = {
    operations: get(OperationRegistry).owners().get(slug) ?? 0,
    routes: get(Routes).countsByOwner().get(slug) ?? 0,
    hooks: get(HookRegistry).owners().get(slug) ?? 0,
    'durable listeners': get(DurableListeners)
      .keys()
      .filter((key) => key.startsWith(`${slug}:`)).length,
    'home pages': owned(get(HomeRegistry).list()),
    pages: owned(get(PageRegistry).list()),
    'menu entries': owned(get(MenuRegistry).list()),
    widgets: owned(get(WidgetRegistry).list()),
    'settings tabs': owned(get(SettingsTabRegistry).list()),
    overrides: get(OverrideRegistry)
      .owners()
      .filter((owner) => owner === slug).length,
    gateways: owned(get(PaymentRegistry).list()),
    // Bundled plugins have their files elsewhere.
    'files in its folder': existsSync(folder) ? readdirSync(folder, { recursive: true }).length : 0,
  };
  for (const event of process.eventNames()) counts[`process listeners of ${String(event)}`] = process.listenerCount(event);
  for (const kind of process.getActiveResourcesInfo()) if (isKept(kind)) counts[`open: ${kind}`] = (counts[`open: ${kind}`] ?? 0) + 1;
  for (const [table, rows] of await rowsOf(get(Database), slug)) counts[`rows of ${table}`] = rows;
  return counts;
}

/**
 * Listening servers, processes, threads and watchers. Timers of plugins are cleared by the panel; sockets of requests and file reads come
 * and go with the panel's own work.
 */
function isKept(kind: string): boolean {
  return /^(?:TCPServerWrap|UDPWrap|Process(?:Wrap)?|Worker|FSEvent(?:Wrap)?)$/i.test(kind);
}

async function rowsOf(database: Database, slug: string): Promise<[string, number][]> {
  const beginning = `SVC_plg_${slug}_`;
  const sql =
    database.engine === 'mysql'
      ? 'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()'
      : "SELECT name FROM sqlite_master WHERE type = 'table'";
  const names = (await database.query<{ name: string }>(sql)).map(({ name }) => name).filter((name) => name.startsWith(beginning));
  const counts: [string, number][] = [];
  for (const name of names) {
    const [row] = await database.query<{ n: number }>(`SELECT COUNT(*) AS n FROM \`${name}\``);
    counts.push([name, Number(row!.n)]);
  }
  return counts;
}

/** Heap in use after a full garbage collection, in bytes. */
export async function heapInUse(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let i = 0; i < 3; i += 1) {
    collect();
    await turn();
  }
  return process.memoryUsage().heapUsed;
}
