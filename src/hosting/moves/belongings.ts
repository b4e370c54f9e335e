import { HostingError } from '../hosting-errors.js';
import type { ScheduledCommand, SiteDatabase } from '../driver/index.js';
import { addressesError, databaseOf, programError } from '../site-programs/index.js';
import type { OpenSite } from '../site-tools/index.js';

/** Parts of a site that only its server knows, and no row of the panel. */
export interface Belongings {
  /** The version of PHP it runs; empty: none. */
  readonly php: string;
  /** Whether its owner gets in by FTP or SFTP; null where there is no such thing. */
  readonly access: boolean | null;
  /** From where else its database is reached. */
  readonly addresses: readonly string[];
  readonly commands: readonly ScheduledCommand[];
}

/** Reads it from a site's server. @throws what that comes to */
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

/** Gives it to a site, or back to it. The same again changes nothing. @throws what its server comes to */
export async function giveBelongings(site: OpenSite, { access, addresses, commands }: Belongings): Promise<void> {
  if (site.has('commands')) await putCommands(site, commands);
  if (addresses.length > 0 && site.has('database')) await allow(site, addresses);
  if (access !== null && site.has('access')) await enable(site, access);
}

/** Shuts whatever writes into a site besides its visitors: FTP and SFTP, commands that run by themselves, connections to its database. */
export async function shutBelongings(site: OpenSite, { access, addresses, commands }: Belongings): Promise<void> {
  if (access !== null) await enable(site, false);
  await putCommands(
    site,
    commands.filter(({ enabled }) => enabled).map((command) => ({ ...command, enabled: false })),
  );
  if (addresses.length > 0) await allow(site, []);
}

/** The database of a site; null where it has none. @throws what its server comes to */
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

/** A site may have no account of that kind. */
async function unlessMissing<Value>(answer: Promise<Value>): Promise<Value | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof HostingError && error.code === 'SITE_MISSING') return null;
    throw error;
  }
}
