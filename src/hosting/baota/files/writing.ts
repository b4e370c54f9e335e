import { randomBytes } from 'node:crypto';

import { FileProblem, type FileVersion, type FileWrite, type Relocation, type SpaceMeter } from '../../driver/index.js';
import { newName, partsOf, presentName, refuseInside, spend, splitPath } from '../../embedded/index.js';

import type { PanelDisk } from './panel-disk.js';
import { readAll, versionOf } from './reading.js';
import type { RemoteSite } from './remote-site.js';

/** Unix seconds, as used for versions in listings. */
const SECONDS = /^\d{1,11}$/;
/** Largest file whose content is compared before it is replaced, in bytes. */
const COMPARED = 16 * 1024 * 1024;

/** Writes a file atomically. */
export async function writeFile(
  disk: PanelDisk,
  site: RemoteSite,
  { path, bytes, isNew, version }: FileWrite,
  meter: SpaceMeter,
): Promise<FileVersion> {
  const { parts, name } = splitPath(path);
  if (isNew) newName(name);
  else presentName(name);
  return spend(meter, async (purse) => {
    const before = isNew ? (await site.requireFree(parts, name), 0) : await presentSize(disk, site, parts, name, version);
    await purse.take(bytes.length);
    const { node, area } = site.place;
    const draft = `draft-${randomBytes(8).toString('hex')}`;
    await disk.write(node, `${area}/work`, draft, bytes, site.signal);
    await place(disk, site, `${area}/work/${draft}`, site.at([...parts, name]));
    const { changedAt } = await site.file(parts, name);
    return { value: { version: versionOf(bytes), changedAt }, freed: before };
  });
}

/** @returns bytes of the file to replace @throws FileProblem CHANGED */
async function presentSize(
  disk: PanelDisk,
  site: RemoteSite,
  parts: readonly string[],
  name: string,
  version: string | undefined,
): Promise<number> {
  const { size, changedAt } = await site.file(parts, name);
  if (!version) return size;
  const isSame = SECONDS.test(version)
    ? version === String(Math.floor(changedAt / 1_000))
    : size <= COMPARED && version === versionOf(await readAll(disk, site, site.at([...parts, name]), COMPARED));
  if (!isSame) throw new FileProblem('CHANGED', { name, version: String(Math.floor(changedAt / 1_000)) });
  return size;
}

/** Moves a complete file into place, or removes it if that fails. */
export async function place(disk: PanelDisk, site: RemoteSite, from: string, to: string): Promise<void> {
  try {
    await site.change((node) => disk.move(node, from, to, site.signal));
  } catch (error) {
    await disk.remove(site.place.node, from, false, AbortSignal.timeout(10_000)).catch(() => undefined);
    throw error;
  }
}

/** Creates a folder. */
export async function makeFolderAt(disk: PanelDisk, site: RemoteSite, path: string): Promise<void> {
  const { parts, name } = splitPath(path);
  newName(name);
  await site.requireFree(parts, name);
  await site.change((node) => disk.makeFolder(node, site.at([...parts, name]), site.signal));
}

/** Renames an entry of a folder. */
export async function renameIn(disk: PanelDisk, site: RemoteSite, folder: string, from: string, to: string): Promise<void> {
  const parts = partsOf(folder);
  await requireThere(site, parts, presentName(from));
  await site.requireFree(parts, newName(to));
  await site.change((node) => disk.move(node, site.at([...parts, from]), site.at([...parts, to]), site.signal));
}

/** Moves entries into another folder; all are checked before the first is moved. */
export async function moveTo(disk: PanelDisk, site: RemoteSite, wanted: Relocation): Promise<number> {
  const [from, to] = [partsOf(wanted.from), partsOf(wanted.to)];
  const names = wanted.names.map(presentName);
  for (const name of names) {
    refuseInside([...from, name], to, name);
    await requireThere(site, from, name);
    await site.requireFree(to, name);
  }
  for (const name of names) await site.change((node) => disk.move(node, site.at([...from, name]), site.at([...to, name]), site.signal));
  return names.length;
}

/** @throws FileProblem MISSING, SPECIAL */
async function requireThere(site: RemoteSite, parts: readonly string[], name: string): Promise<void> {
  const entry = await site.find(parts, name);
  if (!entry) throw new FileProblem('MISSING', { name });
  if (entry.type === 'other') throw new FileProblem('SPECIAL', { name });
}
