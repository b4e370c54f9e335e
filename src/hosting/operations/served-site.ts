import { AppError } from '../../common/index.js';
import type { OpenSite } from '../site-tools/index.js';
import type { ServedSite } from '../wire/index.js';

/** How long a page waits for what a server says, in milliseconds. */
const PATIENCE_MS = 5_000;

/**
 * Where a program for files goes, and as whom. A kind of server may have FTP and no port for it: then it is the host's own name.
 *
 * @param address where people reach the server
 * @throws HostingError PORT_MISSING where there is neither, and what the server comes to; what `until` was aborted with
 */
export async function fileAccount(site: OpenSite, address: string, until?: AbortSignal): Promise<ServedSite['files']> {
  if (!site.has('access') && site.capabilities.has('ftp')) return { host: address, user: site.account.username };
  const { host, username } = await site.ask('access', (port, account, deadline) => port.find(account, deadline), undefined, until);
  return { host: host || address, user: username };
}

/**
 * What a server says of a site, for pages that show all of it. What it does not have, or does not say in time, is empty.
 *
 * @param address where people reach the server
 */
export async function servedSite(site: OpenSite, address: string): Promise<ServedSite> {
  const until = AbortSignal.timeout(PATIENCE_MS);
  const [files, databaseUser, current, versions] = await Promise.all([
    told({ host: '', user: site.account.username }, until, () => fileAccount(site, address, until)),
    told('', until, async () => (await site.ask('database', (port, account) => port.find(account, until), undefined, until)).username),
    told('', until, () => site.ask('php', (port, account) => port.current(account, until), undefined, until)),
    told<readonly string[]>([], until, () => site.ask('php', (port, { node }) => port.versions(node, until), undefined, until)),
  ]);
  return { files, databaseUser, php: { current, versions } };
}

/** What `ask` finds; `otherwise` where it is refused or nobody answers in time. */
async function told<Value>(otherwise: Value, until: AbortSignal, ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof AppError || until.aborted) return otherwise;
    throw error;
  }
}
