import { AppError } from '../../common/index.js';
import type { FileAccess, SiteDatabase } from '../driver/index.js';
import { HostingError } from '../hosting-errors.js';
import { sayOfServer, type ServerReader } from '../server-access.js';
import type { OpenSite } from '../site-tools/index.js';

import { programError } from './program-errors.js';

/** PHP version of a site, and those available. */
export interface SitePhp {
  /** Empty: none. */
  readonly current: string;
  readonly versions: readonly string[];
}

/** @throws HostingError PORT_MISSING, and errors of the server */
export async function phpOf(site: OpenSite): Promise<SitePhp> {
  const [current, versions] = await Promise.all([
    site.ask('php', (php, account, deadline) => php.current(account, deadline), programError),
    site.ask('php', (php, { node }, deadline) => php.versions(node, deadline), programError),
  ]);
  return { current, versions };
}

/** @throws HostingError PORT_MISSING, and errors of the server */
export function fileAccessOf(site: OpenSite): Promise<FileAccess> {
  return site.ask('access', (access, account, deadline) => access.find(account, deadline), programError);
}

/** @throws HostingError PORT_MISSING, DATABASE_NONE, and errors of the server */
export function databaseOf(site: OpenSite): Promise<SiteDatabase> {
  return site.ask('database', (database, account, deadline) => database.find(account, deadline), programError);
}

/** Returns whether the database of a site can be opened in a web client. @throws HostingError PORT_MISSING, and errors of the server */
export function opensInBrowser(site: OpenSite): Promise<boolean> {
  const known = { outcome: 'ok', value: site.port('database').signIn !== undefined } as const;
  return site.ask('database', (port, account, deadline) => port.canSignIn?.(account, deadline) ?? Promise.resolve(known));
}

/** Returns whether a site has a database; an adopted one may have none. @throws HostingError if its server does not answer */
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

/** Returns data of a server for a page, or the problem as text, so that an unreachable server does not break the page. */
export async function shownOf(reader: ServerReader, read: () => Promise<object>): Promise<object> {
  try {
    return { problem: '', ...(await read()) };
  } catch (error) {
    if (error instanceof AppError) return { problem: sayOfServer(reader, error.told) };
    throw error;
  }
}
