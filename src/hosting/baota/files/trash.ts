import { randomBytes } from 'node:crypto';

import { FileProblem, type SpaceMeter, type TrashChoice, type TrashEntry, type TrashList } from '../../driver/index.js';
import { presentName, splitPath } from '../../embedded/index.js';

import type { PanelDisk } from './panel-disk.js';
import type { PanelEntry } from './panel-entry.js';
import type { RemoteSite } from './remote-site.js';

/** Deletion time in milliseconds and a random number. */
const ID = /^\d{13}-[0-9a-f]{8}$/;
const NOTE = 'note.json';
const ITEM = 'item';
type Note = Pick<TrashEntry, 'path' | 'type' | 'size'>;

/** Moves entries to the trash, one step each. Missing entries are skipped. @returns how many were moved */
export async function discard(disk: PanelDisk, site: RemoteSite, paths: readonly string[], now: number): Promise<number> {
  let count = 0;
  for (const path of paths) {
    const { parts, name } = splitPath(path);
    const entry = await site.find(parts, presentName(name));
    if (!entry) continue;
    // For a link, the panel would move its target instead.
    if (entry.type === 'other') throw new FileProblem('SPECIAL', { name });
    await discardEntry(disk, site, parts, entry, now);
    count += 1;
  }
  return count;
}

/** Moves a checked entry to the trash. */
export async function discardEntry(
  disk: PanelDisk,
  site: RemoteSite,
  parts: readonly string[],
  entry: PanelEntry,
  now: number,
): Promise<void> {
  const { node, area } = site.place;
  const at = `${area}/trash/${now}-${randomBytes(4).toString('hex')}`;
  const note: Note = { path: `/${[...parts, entry.name].join('/')}`, type: entry.type, size: entry.size };
  await disk.write(node, at, NOTE, Buffer.from(JSON.stringify(note)), site.signal);
  await site.change(() => disk.move(node, site.at([...parts, entry.name]), `${at}/${ITEM}`, site.signal));
}

/** Lists the trash of a site, latest first. */
export async function listTrash(disk: PanelDisk, site: RemoteSite, offset: number, limit: number): Promise<TrashList> {
  const ids = await idsIn(site);
  const entries: TrashEntry[] = [];
  for (const id of ids.slice(offset, offset + limit)) {
    const note = await noteOf(disk, site, id);
    if (note) entries.push({ ...note, id, deletedAt: Number(id.slice(0, 13)) });
  }
  return { total: ids.length, entries };
}

/** Restores entries to their old paths, or under another name if the old one is taken. @returns the new path of each */
export async function restore(disk: PanelDisk, site: RemoteSite, ids: readonly string[]): Promise<string[]> {
  const places: string[] = [];
  for (const id of ids) {
    const note = ID.test(id) ? await noteOf(disk, site, id) : null;
    if (!note) throw new FileProblem('MISSING', { name: id });
    const { parts, name } = splitPath(note.path);
    await site.makeFolders(parts);
    const free = await site.freeName(parts, presentName(name));
    const at = `${site.place.area}/trash/${id}`;
    await site.change((node) => disk.move(node, `${at}/${ITEM}`, site.at([...parts, free]), site.signal));
    await disk.remove(site.place.node, at, true, site.signal);
    places.push(`/${[...parts, free].join('/')}`);
  }
  return places;
}

/** Permanently removes entries from the trash. @returns how many */
export async function purge(disk: PanelDisk, site: RemoteSite, { ids, before }: TrashChoice, meter: SpaceMeter): Promise<number> {
  const chosen = (await idsIn(site)).filter(
    (id) => (ids?.includes(id) ?? true) && (before === undefined || Number(id.slice(0, 13)) < before),
  );
  for (const id of chosen) await removeFromArea(disk, site, `trash/${id}`, true, meter);
  return chosen.length;
}

/** Removes abandoned work files. */
export async function tidy(disk: PanelDisk, site: RemoteSite, before: number, meter: SpaceMeter): Promise<void> {
  for (const { name, type, changedAt } of await site.areaEntries('work'))
    if (type !== 'other' && changedAt < before) await removeFromArea(disk, site, `work/${name}`, type === 'folder', meter);
}

/** Removes data next to a site's files and gives its space back. */
export async function removeFromArea(
  disk: PanelDisk,
  { place, signal }: RemoteSite,
  name: string,
  isFolder: boolean,
  meter: SpaceMeter,
): Promise<void> {
  signal.throwIfAborted();
  const path = `${place.area}/${name}`;
  const bytes = await disk.size(place.node, path, signal);
  await disk.remove(place.node, path, isFolder, signal);
  await meter.giveBack(bytes);
}

async function idsIn(site: RemoteSite): Promise<string[]> {
  const names = (await site.areaEntries('trash')).map(({ name }) => name);
  return names
    .filter((name) => ID.test(name))
    .sort()
    .reverse();
}

async function noteOf(disk: PanelDisk, { place, signal }: RemoteSite, id: string): Promise<Note | null> {
  const at = `${place.area}/trash/${id}`;
  const folder = await disk.folder(place.node, at, signal);
  if (!folder?.entries.some(({ name }) => name === ITEM)) return null;
  try {
    return JSON.parse((await disk.text(place.node, `${at}/${NOTE}`, signal)) ?? '') as Note;
  } catch {
    return null;
  }
}
