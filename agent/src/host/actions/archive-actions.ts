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
 * Milliseconds in which what was unpacked in vain is cleared away: an agent that is ended waits for it. What takes longer goes with the
 * next start.
 */
const CLEAR_MS = 10_000;

/** What backups need. */
export interface ArchiveActionParts {
  readonly keeper: SiteKeeper;
  readonly archives: Archives;
  readonly folders: SiteFolders;
  readonly workers: SiteWorkers;
}

/** Backups of the files of sites: read and unpacked by the site's own user, kept where what runs in the site does not reach. */
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
      // One after another: the panel may ask again while one it has given up is still being stopped, and both unpack into one folder.
      restores.take(ref.name, async () => {
        const site = keeper.require(ref);
        const value = await archives.use(site, archive, { url, body: turn.body?.file ?? null }, turn.stop, async (file) => {
          const args = { archive: '/proc/self/fd/0', content: archive.content, space };
          const clear = (): Promise<void> =>
            clearSwitch(folders, site, (folder) => workers.run(site, 'empty', { folder }, { stop: turn.stop, leftMs: turn.leftMs }));
          const prepare = async (): Promise<Record<string, unknown>> => {
            const unpacked = await workers.run(site, 'unpack', args, { ...howOf(turn), input: file });
            await clear();
            // Nobody may want it any more, and visitors have seen nothing of it yet.
            turn.stop.throwIfAborted();
            return unpacked;
          };
          const unpacked = await prepare().catch(async (error: unknown) => {
            // Ended from outside it clears nothing away itself, and takes room of the site.
            await clearUnpacked(folders, site, (folder) => workers.run(site, 'empty', { folder }, { leftMs: CLEAR_MS })).catch(
              () => undefined,
            );
            throw error;
          });
          await keeper.turn(ref.name, () => switchSite(folders, keeper.require(ref)));
          // It is put back: what is left of the old files goes with the next start where nobody waits for that.
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
    // The site may be gone, and its archives with it.
    'backups.remove': async (ref, { name }) => {
      const site = keeper.records.find((one) => one.name === ref.name && one.mark === ref.mark);
      return ended(site !== null && (await archives.remove(site, name)));
    },
    'backups.check': async () => answered({ free: await archives.check() }),
  };
}
