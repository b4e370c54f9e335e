import { isIP } from 'node:net';

import type { ActionName } from '../../../../src/agents/wire/actions.js';
import { answered, ended } from '../action-result.js';
import { databaseTaken, type Databases } from '../database/databases.js';
import { HostRefusal } from '../refusal.js';
import type { SiteKeeper, SiteReference } from '../sites/site-keeper.js';
import type { SiteDatabase, SiteRecord } from '../records/site-record.js';
import type { ActionHandlers } from './action-handlers.js';

type Names = Extract<ActionName, `databases.${'create' | 'drop' | 'password' | 'access' | 'list' | 'size'}`>;

/** Pattern of the system user names the agent assigns. */
const USER_NAME = /^svc[0-9a-f]{8}$/;

/** Actions on the databases of sites and the access to them. */
export function databaseActions(keeper: SiteKeeper, databases: Databases): ActionHandlers<Names> {
  const { records } = keeper;
  const requireFree = async (site: SiteRecord, name: string): Promise<void> => {
    const isOthers = records.find(({ databases: all }) => all.some((one) => one.name === name));
    if (isOthers || (USER_NAME.test(name) && name !== site.user)) throw databaseTaken(name);
    // The server's owner may have databases of their own. A creation that was interrupted is already in the record.
    if (name !== site.user && (await databases.has(name))) throw databaseTaken(name);
  };
  const changed = (ref: SiteReference, name: string, change: (database: SiteDatabase) => SiteDatabase): Promise<boolean> =>
    keeper.change(ref, (site) => {
      const database = ofSite(site, name);
      return { ...site, databases: site.databases.map((one) => (one === database ? change(one) : one)) };
    });
  return {
    'databases.create': async (ref, { name, password, most }) => {
      const isNew = await keeper.change(ref, async (site) => {
        if (find(site, name) || site.databases.some((one) => one.name === name)) return site;
        if (most > 0 && site.databases.length >= most)
          throw new HostRefusal('TOO_MANY', 'The site already has the maximum ' + 'number of databases.', { most });
        await requireFree(site, name);
        return { ...site, databases: [...site.databases, { name, hosts: [] }] };
      });
      await keeper.withLock(ref.name, () => databases.setPassword(ofSite(keeper.require(ref), name), password, keeper.require(ref)));
      return ended(isNew);
    },
    'databases.drop': async (ref, { name }) =>
      ended(
        await keeper.change(ref, (site) => ({
          ...site,
          databases: site.databases.map((one) => (one.name === name ? { ...one, isLeaving: true } : one)),
        })),
      ),
    'databases.password': (ref, { name, password }) =>
      keeper.withLock(ref.name, async () => {
        const site = keeper.require(ref);
        await databases.setPassword(ofSite(site, name), password, site);
        return ended(true);
      }),
    'databases.access': async (ref, { name, hosts }) => {
      requireAddresses(hosts);
      return ended(await changed(ref, name, (one) => ({ ...one, hosts: [...new Set(hosts)].sort() })));
    },
    'databases.list': async (ref) => {
      const site = keeper.require(ref);
      const sizes = await databases.sizes(site.databases);
      return answered({
        databases: site.databases
          .filter(isUsed)
          .map(({ name, hosts }) => ({ name, bytes: sizes.get(name) ?? 0, hasUser: true, hosts: [...hosts] })),
      });
    },
    'databases.size': async (ref, { name }) => {
      const database = ofSite(keeper.require(ref), name);
      return answered({ bytes: (await databases.sizes([database])).get(database.name) ?? 0 });
    },
  };
}

/**
 * Allows single IP addresses and `%` (anywhere); ranges are rejected.
 *
 * @throws HostRefusal `DATABASE_ACCESS` naming the invalid entries, before anything is stored
 */
function requireAddresses(hosts: readonly string[]): void {
  const wrong = hosts.filter((host) => host !== '%' && isIP(host) === 0);
  if (wrong.length > 0)
    throw new HostRefusal('DATABASE_ACCESS', 'Some entries are not IP addresses.', { addresses: wrong.join(', ').slice(0, 200) });
}

const isUsed = ({ isLeaving }: SiteDatabase): boolean => !isLeaving;

/**
 * Finds a database of a site; databases of other sites count as missing. A site restored from the bin has a new id while its main database
 * keeps the old name, so both names are accepted.
 *
 * @throws HostRefusal `DATABASE_NONE`
 */
export function ofSite(site: SiteRecord, name: string): SiteDatabase {
  const database = find(site, name);
  if (!database) throw new HostRefusal('DATABASE_NONE', `The site does not have the database ${name}.`, { name });
  return database;
}

function find({ databases, siteId, user }: SiteRecord, name: string): SiteDatabase | undefined {
  const own = name === siteId ? user : name;
  return databases.find((one) => isUsed(one) && (one.name === name || one.name === own));
}
