import { hash } from 'node:crypto';
import { type Readable, Readable as Streams } from 'node:stream';

import { FileProblem, type FileContent, type FileList, type FileListing, type SiteEntry } from '../../driver/index.js';
import { partsOf, presentName, splitPath } from '../../embedded/index.js';

import type { PanelDisk } from './panel-disk.js';
import type { RemoteSite } from './remote-site.js';

/** Limits of a search: folders visited and entries found. */
const SEARCH = { folders: 200, found: 2_000 };

/** Lists one page of a folder, or the entries there and below whose names contain a text. */
export async function listFiles(site: RemoteSite, wanted: FileListing): Promise<FileList> {
  const parts = partsOf(wanted.folder);
  const { entries, cut } = wanted.text ? await search(site, parts, wanted.text.toLowerCase()) : await site.folder(parts);
  const order = wanted.descending ? -1 : 1;
  const key = { name: 0, size: 'size', changed: 'changedAt' } as const;
  const by = key[wanted.sort];
  const sorted = [...entries].sort(
    (a, b) =>
      Number(b.type === 'folder') - Number(a.type === 'folder') ||
      (by === 0 ? order * compareNames(a.name, b.name) : order * (a[by] - b[by]) || compareNames(a.name, b.name)),
  );
  return { total: sorted.length, entries: sorted.slice(wanted.offset, wanted.offset + wanted.limit), cut };
}

async function search(site: RemoteSite, from: readonly string[], text: string): Promise<{ entries: SiteEntry[]; cut: boolean }> {
  const entries: SiteEntry[] = [];
  const waiting: string[][] = [[...from]];
  let cut = false;
  for (let folders = 0; waiting.length > 0; folders += 1) {
    if (folders >= SEARCH.folders || entries.length >= SEARCH.found) return { entries, cut: true };
    const parts = waiting.shift()!;
    const found = await site.folder(parts);
    cut ||= found.cut;
    const shown = parts.slice(from.length);
    for (const entry of found.entries) {
      if (entry.name.toLowerCase().includes(text)) entries.push({ ...entry, name: [...shown, entry.name].join('/') });
      if (entry.type === 'folder') waiting.push([...parts, entry.name]);
    }
  }
  return { entries, cut };
}

/** Finds the entry at a path of a site. */
export async function findFile(site: RemoteSite, path: string): Promise<SiteEntry> {
  const { parts, name } = splitPath(path);
  const entry = await site.find(parts, presentName(name));
  if (!entry) throw new FileProblem('MISSING', { name });
  return entry;
}

/** Reads a whole file of at most `maxBytes`. */
export async function readFile(disk: PanelDisk, site: RemoteSite, path: string, maxBytes: number): Promise<FileContent> {
  const { parts, name } = splitPath(path);
  const { size, changedAt } = await site.file(parts, presentName(name));
  if (size > maxBytes) throw new FileProblem('TOO_LARGE', { name });
  const bytes = await readAll(disk, site, site.at([...parts, name]), maxBytes);
  return { bytes, version: versionOf(bytes), changedAt };
}

/** Reads the whole file at a checked path. @throws FileProblem TOO_LARGE */
export async function readAll(disk: PanelDisk, { place, signal }: RemoteSite, path: string, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const { content } = await disk.open(place.node, path, 0, signal);
  for await (const chunk of content as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new FileProblem('TOO_LARGE', { name: path.slice(path.lastIndexOf('/') + 1) });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Opens a file for sending. */
export async function openFile(disk: PanelDisk, site: RemoteSite, path: string): Promise<{ size: number; content: Readable }> {
  const { parts, name } = splitPath(path);
  const { size } = await site.file(parts, presentName(name));
  if (size === 0) return { size, content: Streams.from([]) };
  // Sending the file may take longer than a call, so its deadline does not apply.
  const { content } = await disk.open(site.place.node, site.at([...parts, name]), 0, new AbortController().signal);
  return { size: Number(content.headers['content-length'] ?? size), content };
}

/** Total bytes of a file or folder. */
export async function sizeOf(disk: PanelDisk, site: RemoteSite, path: string): Promise<number> {
  const parts = partsOf(path);
  if (parts.length > 0) {
    const entry = await findFile(site, `/${parts.join('/')}`);
    if (entry.type === 'other') throw new FileProblem('SPECIAL', { name: entry.name });
    if (entry.type === 'file') return entry.size;
  }
  await site.folder(parts);
  return disk.size(site.place.node, site.at(parts), site.signal);
}

/** Returns a hash that identifies a file's content. */
export function versionOf(bytes: Buffer): string {
  return hash('sha256', bytes, 'hex').slice(0, 32);
}

function compareNames(a: string, b: string): number {
  const [one, other] = [`${a.toLowerCase()}\0${a}`, `${b.toLowerCase()}\0${b}`];
  return one < other ? -1 : Number(one > other);
}
