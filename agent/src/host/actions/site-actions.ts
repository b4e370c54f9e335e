import { statfs } from 'node:fs/promises';

import type { ActionArgs, ActionName, SiteRef } from '../../../../src/agents/wire/actions.js';
import { type ActionEnd, answered, ended } from '../action-result.js';
import type { Databases } from '../database/databases.js';
import { HostRefusal, SiteMissing } from '../refusal.js';
import type { Sftp } from '../sftp/sftp.js';
import { foreign, type SiteKeeper } from '../sites/site-keeper.js';
import { isServed, type SiteRecord } from '../records/site-record.js';
import { idOf } from '../users/system-users.js';
import type { ActionHandlers } from './action-handlers.js';
import { freshSite } from './fresh-site.js';

type Names = Extract<ActionName, `site.${string}` | `bin.${string}`>;

const PAGE = 100;

/** Dependencies of the site actions. */
export interface SiteActionParts {
  readonly keeper: SiteKeeper;
  readonly sftp: Sftp;
  readonly databases: Databases;
  readonly firstUid: number;
  /** Returns the size of a site's files in bytes, measured by its own user. */
  readonly webBytes: (site: SiteRecord, stop: AbortSignal) => Promise<number>;
  /** Whether the site contains only the welcome page. */
  readonly isUntouched: (site: SiteRecord, stop: AbortSignal) => Promise<boolean>;
  /** Writes the welcome page. */
  readonly welcome: (site: SiteRecord) => Promise<void>;
}

/** Actions on the lifecycle of sites. */
export function siteActions({ keeper, sftp, databases, firstUid, webBytes, isUntouched, welcome }: SiteActionParts): ActionHandlers<Names> {
  const { records } = keeper;
  const setPassword = async (site: SiteRecord, password: string | null): Promise<void> => {
    if (password !== null) await sftp.setPassword(site, password);
  };
  const create = (
    ref: SiteRef,
    { password, quota, expiresOn, php }: ActionArgs<'site.create'>,
    wanted: string | null,
  ): Promise<ActionEnd<{ siteId: string }>> =>
    keeper.withLock(ref.name, async () => {
      const present = records.live(ref.name);
      if (present && present.mark !== ref.mark) throw new HostRefusal('SITE_TAKEN', `The site ${ref.name} belongs to another account.`);
      if (present) {
        await setPassword(present, password);
        await welcome(present);
        return { outcome: 'already' as const, value: { siteId: present.siteId } };
      }
      const isFree = wanted !== null && (await idOf(wanted)) === null && !(await databases.has(wanted).catch(() => false));
      const identity = await records.newUser(firstUid, isFree ? wanted : null);
      const site = freshSite({
        ...identity,
        name: ref.name,
        mark: ref.mark,
        username: ref.user,
        quota,
        expiresOn,
        php,
      });
      await keeper.applyRecord(site, null);
      await setPassword(site, password);
      await welcome(site);
      return answered({ siteId: site.siteId });
    });
  return {
    'site.list': (_site, { after }) => {
      const rest = records.all().filter(({ name, isKept, isLeaving }) => !isKept && !isLeaving && (after === null || name > after));
      const sites = rest.slice(0, PAGE).map((site) => ({
        siteName: site.name,
        siteId: site.siteId,
        ownerMark: site.mark,
        username: site.username,
        running: isServed(site),
        suspended: site.suspended,
      }));
      return Promise.resolve(answered({ sites, next: rest.length > PAGE ? sites.at(-1)!.siteName : null }));
    },
    'site.create': (ref, args) => create(ref, args, null),
    'site.createAs': (ref, { id, ...args }) => create(ref, args, id),
    'site.suspend': async (ref) => ended(await keeper.change(ref, (site) => ({ ...site, suspended: true }))),
    'site.unsuspend': async (ref, { to }) =>
      ended(await keeper.change(ref, (site) => ({ ...site, suspended: false, stopped: to === 'stopped' }))),
    'site.start': async (ref) => ended(await keeper.change(ref, (site) => ({ ...site, stopped: false }))),
    'site.stop': async (ref) => ended(await keeper.change(ref, (site) => ({ ...site, stopped: true }))),
    'site.renew': async (ref, { expiresOn }) => ended(await keeper.change(ref, (site) => ({ ...site, expiresOn }))),
    'site.quota': async (ref, { quota }) => ended(await keeper.change(ref, (site) => ({ ...site, quota }))),
    'site.password': (ref, { password }) =>
      keeper.withLock(ref.name, async () => {
        await setPassword(keeper.require(ref), password);
        return ended(true);
      }),
    'site.terminate': async (ref) => {
      const isKept = (): SiteRecord | null => records.kept(ref.name);
      if (!records.live(ref.name) && isKept()?.mark === ref.mark) return ended(false);
      await keeper.change(ref, (site) => {
        if (isKept()) throw new HostRefusal('SITE_TAKEN', `The bin already contains a site ${ref.name}.`);
        return { ...site, isKept: true };
      });
      return ended(true);
    },
    'site.sync': async (ref, _args, { stop }) => {
      const site = keeper.require(ref);
      const sizes = await databases.sizes(site.databases);
      const databaseUsedBytes = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
      return answered({ running: isServed(site), suspended: site.suspended, webUsedBytes: await webBytes(site, stop), databaseUsedBytes });
    },
    'site.idle': async (ref, _args, { stop }) => answered({ files: await isUntouched(keeper.require(ref), stop) }),
    'site.adopt': (ref, { from, password, quota, expiresOn }) =>
      keeper.withLock(ref.name, async () => {
        const site = records.live(ref.name);
        if (!site) throw new SiteMissing();
        if (site.mark !== ref.mark && site.mark !== from.ownerMark) throw foreign(ref.name);
        const isChanged = await keeper.applyRecord(
          { ...site, mark: ref.mark, username: ref.user, quota, expiresOn, suspended: false, stopped: false },
          site,
        );
        await setPassword(site, password);
        return { outcome: isChanged ? ('ok' as const) : ('already' as const), value: { siteId: site.siteId } };
      }),
    'bin.has': (ref) => Promise.resolve(answered({ kept: records.kept(ref.name) !== null })),
    'bin.restore': (ref, { kept }) =>
      keeper.withLock(ref.name, async () => {
        // A site being removed is left over from an earlier attempt that was interrupted.
        const [there, present] = [records.kept(kept.name), records.live(ref.name) ?? records.leaving(ref)];
        if (present && present.mark !== ref.mark) throw foreign(ref.name);
        if (!there && present?.restoredFrom === kept.name) return ended(false);
        if (!there) throw new SiteMissing();
        if (there.mark !== kept.mark) throw foreign(kept.name);
        // The newly created site is removed first; otherwise two sites of one name would be served at the same time.
        if (present) await keeper.destroyServed(present);
        const identity = { name: ref.name, mark: ref.mark, username: ref.user, siteId: present?.siteId ?? ref.id };
        const state = { isKept: false, suspended: false, stopped: false, restoredFrom: kept.name };
        // Domains and commands of the deleted site are dropped: the panel sends them again, and a domain may belong to another site by now.
        const taken = { domains: present?.domains ?? [], certificate: null, commands: [], quota: present?.quota ?? there.quota };
        await keeper.applyRecord(
          { ...there, ...identity, ...state, ...taken, expiresOn: present ? present.expiresOn : there.expiresOn },
          there,
        );
        return ended(true);
      }),
    'bin.purge': (ref) =>
      keeper.withLock(ref.name, async () => {
        const there = records.find(({ name, isKept }) => isKept && name === ref.name);
        if (!there) throw new SiteMissing();
        if (there.mark !== ref.mark) throw foreign(ref.name);
        await keeper.destroy(there);
        return ended(true);
      }),
  };
}

/** Returns free and total bytes of the disk with the sites. */
export async function diskOf(root: string): Promise<{ free: number; total: number }> {
  const { bavail, bsize, blocks } = await statfs(root);
  return { free: bavail * bsize, total: blocks * bsize };
}
