import { AppError } from '../../common/index.js';
import type { OpenSite } from '../site-tools/index.js';
import type { ServedSite } from '../wire/index.js';

/** How long a page waits for a server's answers, in milliseconds. */
const PATIENCE_MS = 5_000;

/**
 * Returns host and user name for a file transfer client. A server may support FTP without the access port: then the user name is the host's
 * own.
 *
 * @param address public address of the server
 * @throws HostingError PORT_MISSING if it supports neither, and errors of the server; the abort reason of `until`
 */
export async function fileAccount(site: OpenSite, address: string, until?: AbortSignal): Promise<ServedSite['files']> {
  if (!site.has('access') && site.capabilities.has('ftp')) return { host: address, user: site.account.username };
  const { host, username } = await site.ask('access', (port, account, deadline) => port.find(account, deadline), undefined, until);
  return { host: host || address, user: username };
}

/**
 * Reads a site's data from its server, for pages that show all of it. Unsupported values, and those not received in time, are empty.
 *
 * @param address public address of the server
 */
export async function servedSite(site: OpenSite, address: string): Promise<ServedSite> {
  const until = AbortSignal.timeout(PATIENCE_MS);
  const [files, databaseUser, current, versions] = await Promise.all([
    orElse({ host: '', user: site.account.username }, until, () => fileAccount(site, address, until)),
    orElse('', until, async () => (await site.ask('database', (port, account) => port.find(account, until), undefined, until)).username),
    orElse('', until, () => site.ask('php', (port, account) => port.current(account, until), undefined, until)),
    orElse<readonly string[]>([], until, () => site.ask('php', (port, { node }) => port.versions(node, until), undefined, until)),
  ]);
  return { files, databaseUser, php: { current, versions } };
}

/** Returns the result of `ask`, or `otherwise` if it is rejected or times out. */
async function orElse<Value>(otherwise: Value, until: AbortSignal, ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof AppError || until.aborted) return otherwise;
    throw error;
  }
}
