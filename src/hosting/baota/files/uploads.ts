import { hash } from 'node:crypto';

import { FileProblem, type SpaceMeter, type UploadState, type UploadTarget } from '../../driver/index.js';
import { partsOf, spend, uploadPlace } from '../../embedded/index.js';

import type { PanelDisk } from './panel-disk.js';
import type { RemoteSite } from './remote-site.js';
import { discardEntry, removeFromArea } from './trash.js';

/** Returns the progress of an upload. */
export async function uploaded(site: RemoteSite, target: UploadTarget): Promise<UploadState> {
  const { at } = uploadPlace(target);
  if (at.length === 0) throw new FileProblem('NAME', { name: target.name });
  return { received: await received(site, target), done: false };
}

/**
 * Accepts a chunk that begins where the previous one ended; otherwise returns the expected offset. The last chunk moves the file into place
 * and may be sent again.
 */
export async function upload(
  disk: PanelDisk,
  site: RemoteSite,
  target: UploadTarget,
  { offset, piece, now }: { readonly offset: number; readonly piece: Buffer; readonly now: number },
  meter: SpaceMeter,
): Promise<UploadState> {
  const { parts, at } = uploadPlace(target);
  if (offset === 0) await begin(site, parts, target, meter);
  let receivedBytes = await received(site, target);
  if (receivedBytes < target.size || target.size === 0) {
    if (offset !== receivedBytes) {
      const done =
        receivedBytes === 0 && offset + piece.length === target.size && (await endsWith(disk, site, [...parts, ...at], target.size, piece));
      return { received: done ? target.size : receivedBytes, done };
    }
    if (receivedBytes + piece.length > target.size || (piece.length === 0 && target.size > 0)) throw new FileProblem('PIECE');
    receivedBytes = await sendPiece(disk, site, target, offset, piece, meter);
    if (receivedBytes < target.size) return { received: receivedBytes, done: false };
  }
  const folder = [...parts, ...at.slice(0, -1)];
  await site.makeFolders(folder);
  const name = at.at(-1)!;
  const before = await site.find(folder, name);
  if (before?.type === 'folder' || before?.type === 'other') {
    await cancelUpload(disk, site, target, meter);
    throw new FileProblem('TAKEN', { name });
  }
  if (before) await discardEntry(disk, site, folder, before, now);
  await site.change((node) => disk.move(node, `${site.place.area}/work/${nameOf(target)}`, site.at([...folder, name]), site.signal));
  return { received: target.size, done: true };
}

/** Cancels an upload. */
export async function cancelUpload(disk: PanelDisk, site: RemoteSite, target: UploadTarget, meter: SpaceMeter): Promise<void> {
  const names = [nameOf(target), partOf(target)];
  for (const { name } of await site.areaEntries('work'))
    if (names.includes(name)) await removeFromArea(disk, site, `work/${name}`, false, meter);
}

/** Checks the folder and the quota before gigabytes are sent. */
async function begin(site: RemoteSite, parts: readonly string[], target: UploadTarget, meter: SpaceMeter): Promise<void> {
  await site.folder(parts);
  if (!(await meter.fits(target.size))) throw new FileProblem('NO_SPACE');
}

function sendPiece(
  disk: PanelDisk,
  { place, signal }: RemoteSite,
  target: UploadTarget,
  offset: number,
  piece: Buffer,
  meter: SpaceMeter,
): Promise<number> {
  return spend(meter, async (purse) => {
    await purse.take(piece.length);
    const to = { folder: `${place.area}/work`, name: nameOf(target), size: target.size, start: offset };
    return { value: await disk.piece(place.node, to, piece, signal), freed: 0 };
  });
}

async function received(site: RemoteSite, target: UploadTarget): Promise<number> {
  const there = await site.areaEntries('work');
  if (there.some(({ name }) => name === nameOf(target))) return target.size;
  return there.find(({ name }) => name === partOf(target))?.size ?? 0;
}

function nameOf({ folder, name, size, tag }: UploadTarget): string {
  return `up-${hash('sha256', JSON.stringify([partsOf(folder), name, size, tag]), 'hex').slice(0, 40)}`;
}

/** The name the panel gives to an incomplete upload. */
const partOf = (target: UploadTarget): string => `${nameOf(target)}.${target.size}.upload.tmp`;

/** Returns whether the file has this size and ends with these bytes. */
async function endsWith(disk: PanelDisk, site: RemoteSite, path: readonly string[], size: number, piece: Buffer): Promise<boolean> {
  try {
    const found = await site.file(path.slice(0, -1), path.at(-1)!);
    if (found.size !== size) return false;
    const opened = await disk.open(site.place.node, site.at(path), size - piece.length, site.signal);
    const bytes = Buffer.concat((await opened.content.toArray()) as Buffer[]);
    return bytes.subarray(bytes.length - piece.length).equals(piece);
  } catch (error) {
    if (error instanceof FileProblem) return false;
    throw error;
  }
}
