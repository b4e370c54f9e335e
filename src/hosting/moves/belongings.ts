import { HostingError } from '../hosting-errors.js';
import type { ScheduledCommand, SiteDatabase } from '../driver/index.js';
import { addressesError, databaseOf, programError } from '../site-programs/index.js';
import type { OpenSite } from '../site-tools/index.js';

/** Data of a site that only its server stores, not the panel. */
export interface Belongings {
  /** PHP version; empty: none. */
  readonly php: string;
  /** Whether FTP or SFTP access is enabled; null if the site has none. */
  readonly access: boolean | null;
  /** Remote addresses allowed to access its database. */
  readonly addresses: readonly string[];
  readonly commands: readonly ScheduledCommand[];
}

/** Reads the data from a site's server. @throws errors of the server */
export async function readBelongings(site: OpenSite): Promise<Belongings> {
  const commands = site.has('commands') ? await site.ask('commands', (port, account, deadline) => port.list(account, deadline)) : null;
  const access = site.has('access')
    ? await unlessMissing(site.ask('access', (port, account, deadline) => port.find(account, deadline)))
    : null;
  const database = site.has('database') ? await databaseIn(site) : null;
  return {
    php: site.has('php') ? await site.ask('php', (port, account, deadline) => port.current(account, deadline)) : '',
    access: access?.enabled ?? null,
    addresses: database?.addresses ?? [],
    commands: (commands?.commands ?? []).map(({ id, schedule, argv, folder, seconds, enabled }) => ({
      id,
      schedule,
      argv,
      folder,
      seconds,
      enabled,
    })),
  };
}

/** Applies the data to a site. Idempotent. @throws errors of the server */
export async function giveBelongings(site: OpenSite, { access, addresses, commands }: Belongings): Promise<void> {
  if (site.has('commands')) await putCommands(site, commands);
  if (addresses.length > 0 && site.has('database')) await allow(site, addresses);
  if (access !== null && site.has('access')) await enable(site, access);
}

/** Blocks everything but visitors from writing to a site: FTP and SFTP, scheduled commands, remote database connections. */
export async function shutBelongings(site: OpenSite, { access, addresses, commands }: Belongings): Promise<void> {
  if (access !== null) await enable(site, false);
  await putCommands(
    site,
    commands.filter(({ enabled }) => enabled).map((command) => ({ ...command, enabled: false })),
  );
  if (addresses.length > 0) await allow(site, []);
}

/** Returns the database of a site; null if it has none. @throws errors of the server */
export async function databaseIn(site: OpenSite): Promise<SiteDatabase | null> {
  try {
    return await databaseOf(site);
  } catch (error) {
    if (error instanceof HostingError && error.code === 'DATABASE_NONE') return null;
    throw error;
  }
}

async function putCommands(site: OpenSite, commands: readonly ScheduledCommand[]): Promise<void> {
  for (const command of commands)
    await site.ask('commands', (port, account, deadline) => port.put(account, command, deadline), programError);
}

async function allow(site: OpenSite, addresses: readonly string[]): Promise<void> {
  await site.ask('database', (port, account, deadline) => port.allow(account, addresses, deadline), addressesError(addresses));
}

async function enable(site: OpenSite, enabled: boolean): Promise<void> {
  await site.ask('access', (port, account, deadline) => port.enable(account, enabled, deadline), programError);
}

/** Returns null if the site has no such account. */
async function unlessMissing<Value>(answer: Promise<Value>): Promise<Value | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof HostingError && error.code === 'SITE_MISSING') return null;
    throw error;
  }
}
