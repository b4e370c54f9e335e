import { AppError } from '../../common/index.js';
import type { FileAccess, SiteDatabase } from '../driver/index.js';
import { HostingError } from '../hosting-errors.js';
import { sayOfServer, type ServerReader } from '../server-access.js';
import type { OpenSite } from '../site-tools/index.js';

import { programError } from './program-errors.js';

/** PHP version of a site, and those it can choose. */
export interface SitePhp {
  /** Empty: none. */
  readonly current: string;
  readonly versions: readonly string[];
}

/** @throws HostingError PORT_MISSING, and what the server comes to */
export async function phpOf(site: OpenSite): Promise<SitePhp> {
  const [current, versions] = await Promise.all([
    site.ask('php', (php, account, deadline) => php.current(account, deadline), programError),
    site.ask('php', (php, { node }, deadline) => php.versions(node, deadline), programError),
  ]);
  return { current, versions };
}

/** @throws HostingError PORT_MISSING, and what the server comes to */
export function fileAccessOf(site: OpenSite): Promise<FileAccess> {
  return site.ask('access', (access, account, deadline) => access.find(account, deadline), programError);
}

/** @throws HostingError PORT_MISSING, DATABASE_NONE, and what the server comes to */
export function databaseOf(site: OpenSite): Promise<SiteDatabase> {
  return site.ask('database', (database, account, deadline) => database.find(account, deadline), programError);
}

/** Whether the database of a site can be opened in the browser. @throws HostingError PORT_MISSING, and what the server comes to */
export function opensInBrowser(site: OpenSite): Promise<boolean> {
  const known = { outcome: 'ok', value: site.port('database').signIn !== undefined } as const;
  return site.ask('database', (port, account, deadline) => port.canSignIn?.(account, deadline) ?? Promise.resolve(known));
}

/** Asks whether a site has a database; one that was adopted may have none. @throws HostingError where its server does not answer */
export async function hasDatabase(site: OpenSite): Promise<boolean> {
  if (!site.has('database')) return false;
  try {
    await databaseOf(site);
    return true;
  } catch (error) {
    if (error instanceof HostingError && error.code === 'DATABASE_NONE') return false;
    throw error;
  }
}

/** What a page shows of a server: what it answered, or in words why it did not, so that a server that is away takes no page with it. */
export async function shownOf(reader: ServerReader, look: () => Promise<object>): Promise<object> {
  try {
    return { problem: '', ...(await look()) };
  } catch (error) {
    if (error instanceof AppError) return { problem: sayOfServer(reader, error.told) };
    throw error;
  }
}
