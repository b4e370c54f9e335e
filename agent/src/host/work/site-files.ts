import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';

import type { ActionArgs, ActionName } from '../../../../src/agents/wire/actions.js';
import type { DriverTurn, FileList } from '../../../../src/hosting/driver/ports/files.js';
import { copyTo } from '../../../../src/hosting/embedded/files/copies.js';
import { listFolder, searchFolder } from '../../../../src/hosting/embedded/files/listing.js';
import { packTo } from '../../../../src/hosting/embedded/files/packing.js';
import { findFile, openFile, readFile, sizeOf } from '../../../../src/hosting/embedded/files/reading.js';
import { moveTo, renameIn } from '../../../../src/hosting/embedded/files/relocations.js';
import type { SiteArea } from '../../../../src/hosting/embedded/files/site-area.js';
import { partsOf } from '../../../../src/hosting/embedded/files/site-path.js';
import { tidy } from '../../../../src/hosting/embedded/files/tidying.js';
import { discard, listTrash, purge, restore } from '../../../../src/hosting/embedded/files/trash.js';
import { unpackTo } from '../../../../src/hosting/embedded/files/unpacking.js';
import { cancelUpload, upload, uploaded } from '../../../../src/hosting/embedded/files/uploads.js';
import { makeFolderAt, writeFile } from '../../../../src/hosting/embedded/files/written-files.js';
import { Budget } from './budget.js';

/** Context of a worker's job. */
export interface WorkContext {
  readonly stop: AbortSignal;
  readonly progress: (done: number, total: number) => void;
  /** Request body, on standard input. */
  readonly input: Readable;
  /** Sends a body. */
  readonly send: (bytes: number | null, content: Readable) => Promise<void>;
}

/** Names of the actions with files. */
export type FileActionName = Extract<ActionName, `files.${string}`>;
type Work = { readonly [Name in FileActionName]: (area: SiteArea, args: ActionArgs<Name>, context: WorkContext) => Promise<object> };

/** Maximum bytes of entries in one response, so that it fits into an action's result. */
const MAX_ENTRY_BYTES = 40 * 1024;
const MAX_WRITE = 64 * 1024 * 1024;

/** Implements the file actions as the site's own user, using the panel's own file code. */
export const FILE_WORK: Work = {
  'files.list': async (area, { text, ...wanted }, { stop }) => {
    const listing = { ...wanted, ...(text === null || text === '' ? {} : { text }) };
    const read = listing.text ? searchFolder : listFolder;
    return fitted(await area.use(partsOf(wanted.folder), (folder) => read(folder, listing, stop)));
  },
  'files.find': async (area, { path }) => ({ entry: await findFile(area, path) }),
  'files.read': async (area, { path, most }, { send }) => {
    const { bytes, version, changedAt } = await readFile(area, path, most);
    await send(bytes.length, Readable.from([bytes]));
    return { version, changedAt };
  },
  'files.open': async (area, { path }, { send }) => {
    const { size, content } = await openFile(area, path);
    await send(size, content);
    return {};
  },
  'files.size': async (area, { path }, { stop }) => ({ bytes: await sizeOf(area, path, stop) }),
  'files.write': async (area, { path, isNew, version, space }, { input }) => {
    const bytes = await wholeOf(input);
    return spent(space, (budget) => writeFile(area, { path, bytes, isNew, ...(version === null ? {} : { version }) }, budget));
  },
  'files.makeFolder': async (area, { path }) => {
    await makeFolderAt(area, path);
    return {};
  },
  'files.rename': async (area, { folder, from, to }) => {
    await renameIn(area, folder, from, to);
    return {};
  },
  'files.move': async (area, wanted) => ({ count: await moveTo(area, wanted) }),
  'files.discard': async (area, { paths }) => ({ count: await discard(area, paths) }),
  'files.uploaded': async (area, { target }) => ({ state: await uploaded(area, target) }),
  'files.upload': async (area, { target, offset, space }, { input }) => {
    const piece = await wholeOf(input);
    return spent(space, async (budget) => ({ state: await upload(area, target, offset, piece, budget) }));
  },
  'files.cancelUpload': (area, { target }) =>
    spent(0, async (budget) => {
      await cancelUpload(area, target, budget);
      return {};
    }),
  'files.copy': (area, { deed: id, space, ...wanted }, context) =>
    spent(space, (budget) => copyTo(area, wanted, budget, driverTurn(id, context))),
  'files.pack': (area, { deed: id, space, ...wanted }, context) =>
    spent(space, (budget) => packTo(area, wanted, budget, driverTurn(id, context))),
  'files.unpack': (area, { deed: id, space, encoding, ...wanted }, context) =>
    spent(space, (budget) => unpackTo(area, { ...wanted, ...(encoding === null ? {} : { encoding }) }, budget, driverTurn(id, context))),
  'files.trash': async (area, { offset, limit }) => fitted(await listTrash(area, offset, limit)),
  'files.restore': async (area, { ids }) => ({ paths: await restore(area, ids) }),
  'files.purge': (area, { ids, before }, { stop }) =>
    spent(0, async (budget) => ({
      count: await purge(area, { ...(ids === null ? {} : { ids }), ...(before === null ? {} : { before }) }, budget, stop),
    })),
  'files.tidy': (area, { before }, { stop }) =>
    spent(0, async (budget) => {
      await tidy(area, before, budget, stop);
      return {};
    }),
};

/** Runs work with a space budget and adds the used space to its result. */
async function spent<T extends object>(most: number, work: (budget: Budget) => Promise<T>): Promise<T & { space: number }> {
  const budget = new Budget(most);
  return { ...(await work(budget)), space: budget.space };
}

function driverTurn(id: string, { stop, progress }: WorkContext): DriverTurn {
  return { id, signal: stop, progress };
}

/** Limits the entries to what one response can hold; `total` shows that there are more. */
function fitted<List extends { readonly entries: readonly object[] } | FileList>(list: List): List {
  let room = MAX_ENTRY_BYTES;
  const entries = list.entries.filter((entry) => (room -= Buffer.byteLength(JSON.stringify(entry)) + 1) >= 0);
  return { ...list, entries };
}

async function wholeOf(input: Readable): Promise<Buffer> {
  const bytes = await buffer(input);
  if (bytes.length > MAX_WRITE) throw new Error('The uploaded part is too large.');
  return bytes;
}
