import type { ActionName } from '../../../../src/agents/wire/actions.js';
import { answered, ended } from '../action-result.js';
import type { Archives } from '../archives/archives.js';
import { clearSwitch, clearUnpacked, switchSite } from '../users/switch-site.js';
import type { SiteKeeper } from '../sites/site-keeper.js';
import { SiteLocks } from '../sites/site-locks.js';
import type { SiteFolders } from '../users/site-folders.js';
import type { SiteWorkers } from '../work/site-workers.js';
import type { ActionHandlers } from './action-handlers.js';
import { workerOptions } from './file-actions.js';

type Names = Extract<ActionName, `backups.${string}`>;

/**
 * Time limit for removing the files of a failed restore, in milliseconds, because a stopping agent waits for it. What remains is removed at
 * the next start of a restore.
 */
const CLEAR_MS = 10_000;

/** Dependencies of the backup actions. */
export interface ArchiveActionParts {
  readonly keeper: SiteKeeper;
  readonly archives: Archives;
  readonly folders: SiteFolders;
  readonly workers: SiteWorkers;
}

/**
 * Backup actions for site files. Archives are packed and unpacked by the site's own user and stored where code of the site has no access.
 */
export function archiveActions({ keeper, archives, folders, workers }: ArchiveActionParts): ActionHandlers<Names> {
  const restores = new SiteLocks();
  return {
    'backups.make': async (ref, { name, url }, context) => {
      const site = keeper.require(ref);
      const made = await archives.make(site, name, url, context.stop, (send) =>
        workers.run(site, 'archive', {}, { ...workerOptions(context), send }),
      );
      return answered(made as never);
    },
    'backups.send': async (ref, { name, from, size, url }, { stop }) => {
      await archives.send(keeper.require(ref), name, { from, size, url }, stop);
      return ended(true);
    },
    'backups.restore': (ref, { archive, url, space }, context) =>
      // Serialized: the panel may send a restore again while an abandoned one is still stopping, and both unpack into the same folder.
      restores.run(ref.name, async () => {
        const site = keeper.require(ref);
        const value = await archives.use(site, archive, { url, body: context.body?.file ?? null }, context.stop, async (file) => {
          const args = { archive: '/proc/self/fd/0', content: archive.content, space };
          const clear = (): Promise<void> =>
            clearSwitch(folders, site, (folder) => workers.run(site, 'empty', { folder }, { stop: context.stop, leftMs: context.leftMs }));
          const prepare = async (): Promise<Record<string, unknown>> => {
            const unpacked = await workers.run(site, 'unpack', args, { ...workerOptions(context), input: file });
            await clear();
            // Last point to abort: the caller may have given up, and the live files are still unchanged.
            context.stop.throwIfAborted();
            return unpacked;
          };
          const unpacked = await prepare().catch(async (error: unknown) => {
            // An aborted worker does not clean up, and its files count against the site's quota.
            await clearUnpacked(folders, site, (folder) => workers.run(site, 'empty', { folder }, { leftMs: CLEAR_MS })).catch(
              () => undefined,
            );
            throw error;
          });
          await keeper.withLock(ref.name, () => switchSite(folders, keeper.require(ref)));
          // The restore succeeded; if the task was aborted, the old files are removed at the start of the next restore.
          await clear().catch((error: unknown) => {
            if (!context.stop.aborted) throw error;
          });
          return unpacked;
        });
        return answered(value as never);
      }),
    'backups.open': async (ref, { name, from }, { send }) => {
      const { size, content } = await archives.open(keeper.require(ref), name, from);
      await send({ bytes: size - from, content });
      return answered({});
    },
    'backups.mark': async (ref, _args, context) =>
      answered((await workers.run(keeper.require(ref), 'mark', {}, workerOptions(context))) as never),
    // The site may be deleted together with its archives.
    'backups.remove': async (ref, { name }) => {
      const site = keeper.records.find((one) => one.name === ref.name && one.mark === ref.mark);
      return ended(site !== null && (await archives.remove(site, name)));
    },
    'backups.check': async () => answered({ free: await archives.check() }),
  };
}
