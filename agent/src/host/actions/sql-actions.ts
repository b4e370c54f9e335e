import type { ActionName } from '../../../../src/agents/wire/actions.js';
import { createHash } from 'node:crypto';
import { answered, ended } from '../action-result.js';
import type { Archives } from '../archives/archives.js';
import type { AdminerAccess } from '../database/adminer-access.js';
import type { Databases } from '../database/databases.js';
import type { PhpPools } from '../php/php-pools.js';
import { HostRefusal } from '../refusal.js';
import type { SiteKeeper } from '../sites/site-keeper.js';
import type { SiteRecord } from '../records/site-record.js';
import type { SiteWorkers } from '../work/site-workers.js';
import type { ActionHandlers, ActionContext } from './action-handlers.js';
import { ofSite } from './database-actions.js';
import { workerOptions, requireOpen } from './file-actions.js';

type Names = Extract<
  ActionName,
  `databases.${'dump' | 'restore' | 'export' | 'import' | 'door' | 'archives' | 'openArchive' | 'removeArchive' | 'clear'}`
>;

/** Dependencies of the SQL actions. */
export interface SqlActionParts {
  readonly keeper: SiteKeeper;
  readonly databases: Databases;
  readonly archives: Archives;
  readonly workers: SiteWorkers;
  readonly door: AdminerAccess;
  readonly php: Pick<PhpPools, 'ensureAdminerPool'>;
}

/** Actions on the contents of databases. They run as the site's own user, who has access to no other site's databases. */
export function sqlActions({ keeper, databases, archives, workers, door, php }: SqlActionParts): ActionHandlers<Names> {
  const own = (site: SiteRecord, name: string): { socket: string; user: string; name: string } => ({
    socket: databases.socket,
    user: site.user,
    name: ofSite(site, name).name,
  });
  /** Runs SQL from a file that root opens for the worker. */
  const restore = async (site: SiteRecord, name: string, empty: boolean, input: string, context: ActionContext): Promise<void> => {
    const database = own(requireOpen(site), name);
    if (empty) await databases.empty(database.name);
    await databases.within(database.name, () => workers.run(site, 'sql', database, { ...workerOptions(context), input }));
  };
  return {
    'databases.dump': async (ref, { name, to, path, archive, url, deed: id, space }, context) => {
      const site = requireOpen(keeper.require(ref));
      const database = own(site, name);
      const made = await databases.within(database.name, () =>
        to === 'site'
          ? workers.run(site, 'dump to file', { database, path: given(path), id, space }, workerOptions(context))
          : archives
              .ofDatabase(database.name)
              .make(site, archive ?? `${id}.sql.gz`, to === 'address' ? given(url) : null, context.stop, (send) =>
                workers.run(site, 'dump', database, { ...workerOptions(context), send }),
              ),
      );
      return answered(made as never);
    },
    'databases.restore': async (ref, { name, from, path, archive, url, sha256, empty }, context) => {
      const site = requireOpen(keeper.require(ref));
      if (from === 'site') {
        const database = own(site, name);
        // Checks that the file exists before anything is deleted.
        await workers.run(site, 'files.size', { path: given(path) }, workerOptions(context));
        if (empty) await databases.empty(database.name);
        await databases.within(database.name, () =>
          workers.run(site, 'sql of file', { database, path: given(path) }, workerOptions(context)),
        );
        return answered({});
      }
      await archives
        .ofDatabase(ofSite(site, name).name)
        .useAny(site, archive, from === 'address' ? given(url) : null, sha256, context.stop, (file) =>
          restore(site, name, empty, file, context),
        )
        .catch(databaseBackupGone);
      return answered({});
    },
    'databases.export': async (ref, { name }, context) => {
      const site = requireOpen(keeper.require(ref));
      const database = own(site, name);
      await databases.within(database.name, () => workers.run(site, 'dump', database, workerOptions(context)));
      return answered({});
    },
    'databases.import': async (ref, { name, empty }, context) => {
      if (!context.body) throw new HostRefusal('BODY', 'The task contains no SQL file.');
      await restore(keeper.require(ref), name, empty, context.body.file, context);
      return answered({});
    },
    'databases.archives': async (ref, { name }) => {
      const site = keeper.require(ref);
      return answered({ archives: (await archives.ofDatabase(ofSite(site, name).name).list(site)).slice(0, 200) });
    },
    'databases.openArchive': async (ref, { name, archive }, { send }) => {
      const site = keeper.require(ref);
      const { size, content } = await archives.ofDatabase(ofSite(site, name).name).open(site, archive, 0).catch(databaseBackupGone);
      await send({ bytes: size, content });
      return answered({});
    },
    'databases.removeArchive': async (ref, { name, archive }) => {
      const site = keeper.require(ref);
      return ended(await archives.ofDatabase(ofSite(site, name).name).remove(site, archive));
    },
    'databases.clear': (ref, { name }) =>
      keeper.withLock(ref.name, async () => {
        await databases.empty(ofSite(requireOpen(keeper.require(ref)), name).name);
        return ended(true);
      }),
    'databases.door': async (ref, { name, ticket, seconds }, context) => {
      const site = requireOpen(keeper.require(ref));
      const { name: database } = ofSite(site, name);
      const note = { ticket: createHash('sha256').update(ticket).digest('hex'), database, until: Math.floor(Date.now() / 1_000) + seconds };
      const url = await door.address(site);
      await keeper.withLock(ref.name, () => php.ensureAdminerPool(requireOpen(keeper.require(ref))));
      await workers.run(site, 'door', note, workerOptions(context));
      return answered({ url });
    },
  };
}

/** Maps `BACKUP_GONE` to the error code used for databases. */
function databaseBackupGone(error: unknown): never {
  throw error instanceof HostRefusal && error.code === 'BACKUP_GONE' ? new HostRefusal('DATABASE_BACKUP_GONE', error.message) : error;
}

/** Requires an argument that another argument makes mandatory. @throws HostRefusal `ARGUMENTS` */
function given<T>(value: T | null): T {
  if (value === null) throw new HostRefusal('ARGUMENTS', 'An argument is missing.');
  return value;
}
