import type { ActionName } from '../../../../src/agents/wire/actions.js';
import { answered, ended } from '../action-result.js';
import type { Archives } from '../archives/archives.js';
import { clearSwitch, clearUnpacked, switchSite } from '../users/switch-site.js';
import type { SiteKeeper } from '../sites/site-keeper.js';
import { SiteTurns } from '../sites/site-turns.js';
import type { SiteFolders } from '../users/site-folders.js';
import type { SiteWorkers } from '../work/site-workers.js';
import type { ActionHandlers } from './action-handlers.js';
import { howOf } from './file-actions.js';

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
  const restores = new SiteTurns();
  return {
    'backups.make': async (ref, { name, url }, turn) => {
      const site = keeper.require(ref);
      const made = await archives.make(site, name, url, turn.stop, (send) => workers.run(site, 'archive', {}, { ...howOf(turn), send }));
      return answered(made as never);
    },
    'backups.send': async (ref, { name, from, size, url }, { stop }) => {
      await archives.send(keeper.require(ref), name, { from, size, url }, stop);
      return ended(true);
    },
    'backups.restore': (ref, { archive, url, space }, turn) =>
      // Serialized: the panel may send a restore again while an abandoned one is still stopping, and both unpack into the same folder.
      restores.take(ref.name, async () => {
        const site = keeper.require(ref);
        const value = await archives.use(site, archive, { url, body: turn.body?.file ?? null }, turn.stop, async (file) => {
          const args = { archive: '/proc/self/fd/0', content: archive.content, space };
          const clear = (): Promise<void> =>
            clearSwitch(folders, site, (folder) => workers.run(site, 'empty', { folder }, { stop: turn.stop, leftMs: turn.leftMs }));
          const prepare = async (): Promise<Record<string, unknown>> => {
            const unpacked = await workers.run(site, 'unpack', args, { ...howOf(turn), input: file });
            await clear();
            // Last point to abort: the caller may have given up, and the live files are still unchanged.
            turn.stop.throwIfAborted();
            return unpacked;
          };
          const unpacked = await prepare().catch(async (error: unknown) => {
            // An aborted worker does not clean up, and its files count against the site's quota.
            await clearUnpacked(folders, site, (folder) => workers.run(site, 'empty', { folder }, { leftMs: CLEAR_MS })).catch(
              () => undefined,
            );
            throw error;
          });
          await keeper.turn(ref.name, () => switchSite(folders, keeper.require(ref)));
          // The restore succeeded; if the task was aborted, the old files are removed at the start of the next restore.
          await clear().catch((error: unknown) => {
            if (!turn.stop.aborted) throw error;
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
    'backups.mark': async (ref, _args, turn) => answered((await workers.run(keeper.require(ref), 'mark', {}, howOf(turn))) as never),
    // The site may be deleted together with its archives.
    'backups.remove': async (ref, { name }) => {
      const site = keeper.records.find((one) => one.name === ref.name && one.mark === ref.mark);
      return ended(site !== null && (await archives.remove(site, name)));
    },
    'backups.check': async () => answered({ free: await archives.check() }),
  };
}
