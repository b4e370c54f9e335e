import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import type {
  DriverTurn,
  DriverAccount,
  DriverResult,
  FileContent,
  FileActionResult,
  FileList,
  FileListing,
  FilesPort,
  FileVersion,
  FileWrite,
  Packing,
  Relocation,
  SiteEntry,
  SpaceMeter,
  TrashChoice,
  TrashEntry,
  TrashList,
  Unpacking,
  UploadState,
  UploadTarget,
} from '../../hosting/index.js';
import { bodyOf } from '../actions/index.js';

import { mapped, ServerCalls } from './server-calls.js';
import { withAnySpace, withSpace } from './space-grant.js';

/** Maximum size of a file read into memory, in bytes. */
const MAX_READ = 64 * 1024 * 1024;
/** Maximum number of rows per list. */
const MAX_ROWS = 1_000;

/** Files of sites on servers with an agent, which works as the site's user. */
@Injectable()
export class AgentFiles implements FilesPort {
  constructor(private readonly calls: ServerCalls) {}

  async list(account: DriverAccount, wanted: FileListing, deadline: AbortSignal): Promise<DriverResult<FileList>> {
    const { folder, sort, descending, text = null } = wanted;
    const limit = Math.min(wanted.limit, MAX_ROWS);
    const entries: SiteEntry[] = [];
    for (;;) {
      const rest = { offset: wanted.offset + entries.length, limit: limit - entries.length };
      const part = await this.calls.site(account, 'files.list', { folder, sort, descending, text, ...rest }, deadline);
      if (!('value' in part)) return part;
      const { total, cut } = part.value;
      entries.push(...part.value.entries.slice(0, rest.limit));
      // A response may contain only some of the entries.
      if (part.value.entries.length === 0 || entries.length >= limit || wanted.offset + entries.length >= total)
        return { outcome: 'ok', value: { total, entries, cut } };
    }
  }

  async find(account: DriverAccount, path: string, deadline: AbortSignal): Promise<DriverResult<SiteEntry>> {
    return mapped(await this.calls.site(account, 'files.find', { path }, deadline), ({ entry }) => entry);
  }

  async read(account: DriverAccount, path: string, most: number, deadline: AbortSignal): Promise<DriverResult<FileContent>> {
    const read = await this.calls.buffered(account, 'files.read', { path, most: Math.min(most, MAX_READ) }, deadline);
    return mapped(read, ({ value, bytes }) => ({ ...value, bytes }));
  }

  async open(account: DriverAccount, path: string, deadline: AbortSignal): Promise<DriverResult<{ size: number; content: Readable }>> {
    const opened = await this.calls.opened(account, 'files.open', { path }, deadline);
    if (!('value' in opened)) return opened;
    const { content, bytes } = opened.value;
    if (bytes !== null) return { outcome: 'ok', value: { size: bytes, content } };
    content.destroy();
    return { outcome: 'unknown', message: 'the agent did not report the size of the file' };
  }

  async size(account: DriverAccount, path: string, deadline: AbortSignal): Promise<DriverResult<number>> {
    return mapped(await this.calls.site(account, 'files.size', { path }, deadline), ({ bytes }) => bytes);
  }

  async write(account: DriverAccount, file: FileWrite, space: SpaceMeter, deadline: AbortSignal): Promise<DriverResult<FileVersion>> {
    const { path, bytes, isNew, version = null } = file;
    const send = { send: bodyOf(bytes, createHash('sha256').update(bytes).digest('hex')) };
    const written = await withSpace(space, bytes.length, (granted) =>
      this.calls.site(account, 'files.write', { path, isNew, version, space: granted }, deadline, send),
    );
    return mapped(written, ({ version: next, changedAt }) => ({ version: next, changedAt }));
  }

  makeFolder(account: DriverAccount, path: string, deadline: AbortSignal): Promise<DriverResult> {
    return this.calls.done(account, 'files.makeFolder', { path }, deadline);
  }

  rename(account: DriverAccount, folder: string, from: string, to: string, deadline: AbortSignal): Promise<DriverResult> {
    return this.calls.done(account, 'files.rename', { folder, from, to }, deadline);
  }

  async move(account: DriverAccount, wanted: Relocation, deadline: AbortSignal): Promise<DriverResult<number>> {
    return mapped(await this.calls.site(account, 'files.move', plain(wanted), deadline), ({ count }) => count);
  }

  async discard(account: DriverAccount, paths: readonly string[], deadline: AbortSignal): Promise<DriverResult<number>> {
    return mapped(await this.calls.site(account, 'files.discard', { paths }, deadline), ({ count }) => count);
  }

  async uploaded(account: DriverAccount, target: UploadTarget, deadline: AbortSignal): Promise<DriverResult<UploadState>> {
    return mapped(await this.calls.site(account, 'files.uploaded', { target: targetOf(target) }, deadline), ({ state }) => state);
  }

  async upload(
    account: DriverAccount,
    target: UploadTarget,
    offset: number,
    piece: Buffer,
    space: SpaceMeter,
    deadline: AbortSignal,
  ): Promise<DriverResult<UploadState>> {
    const send = { send: bodyOf(piece, createHash('sha256').update(piece).digest('hex')) };
    // The first piece reserves space for the whole file, so that an upload that does not fit fails immediately.
    const need = offset === 0 ? Math.max(target.size, piece.length) : piece.length;
    const taken = await withSpace(space, need, (granted) =>
      this.calls.site(account, 'files.upload', { target: targetOf(target), offset, space: granted }, deadline, send),
    );
    return mapped(taken, ({ state }) => state);
  }

  async cancelUpload(account: DriverAccount, target: UploadTarget, space: SpaceMeter, deadline: AbortSignal): Promise<DriverResult> {
    const args = { target: targetOf(target) };
    const done = await withSpace(space, 0, () => this.calls.site(account, 'files.cancelUpload', args, deadline));
    return mapped(done, () => undefined);
  }

  async copy(account: DriverAccount, wanted: Relocation, space: SpaceMeter, turn: DriverTurn): Promise<DriverResult<FileActionResult>> {
    const { id, signal, progress } = turn;
    return withoutSpace(
      await withAnySpace(space, (granted) =>
        this.calls.site(account, 'files.copy', { deed: id, ...plain(wanted), space: granted }, signal, { progress }),
      ),
    );
  }

  async pack(
    account: DriverAccount,
    { folder, names, archive }: Packing,
    space: SpaceMeter,
    turn: DriverTurn,
  ): Promise<DriverResult<FileActionResult>> {
    const { id, signal, progress } = turn;
    return withoutSpace(
      await withAnySpace(space, (granted) =>
        this.calls.site(account, 'files.pack', { deed: id, folder, names, archive, space: granted }, signal, { progress }),
      ),
    );
  }

  async unpack(account: DriverAccount, wanted: Unpacking, space: SpaceMeter, turn: DriverTurn): Promise<DriverResult<FileActionResult>> {
    const { archive, folder, encoding = null } = wanted;
    const { id, signal, progress } = turn;
    return withoutSpace(
      await withAnySpace(space, (granted) =>
        this.calls.site(account, 'files.unpack', { deed: id, archive, folder, encoding, space: granted }, signal, { progress }),
      ),
    );
  }

  async trash(account: DriverAccount, offset: number, limit: number, deadline: AbortSignal): Promise<DriverResult<TrashList>> {
    const entries: TrashEntry[] = [];
    const most = Math.min(limit, MAX_ROWS);
    for (;;) {
      const rest = { offset: offset + entries.length, limit: most - entries.length };
      const part = await this.calls.site(account, 'files.trash', rest, deadline);
      if (!('value' in part)) return part;
      entries.push(...part.value.entries.slice(0, rest.limit));
      const { total } = part.value;
      if (part.value.entries.length === 0 || entries.length >= most || offset + entries.length >= total)
        return { outcome: 'ok', value: { total, entries } };
    }
  }

  async restore(account: DriverAccount, ids: readonly string[], deadline: AbortSignal): Promise<DriverResult<string[]>> {
    return mapped(await this.calls.site(account, 'files.restore', { ids }, deadline), ({ paths }) => [...paths]);
  }

  async purge(account: DriverAccount, { ids, before }: TrashChoice, space: SpaceMeter, turn: DriverTurn): Promise<DriverResult<number>> {
    const { id, signal, progress } = turn;
    const args = { deed: id, ids: ids ?? null, before: before ?? null };
    const purged = await withSpace(space, 0, () => this.calls.site(account, 'files.purge', args, signal, { progress }));
    return mapped(purged, ({ count }) => count);
  }

  async tidy(account: DriverAccount, before: number, space: SpaceMeter, deadline: AbortSignal): Promise<DriverResult> {
    return mapped(await withSpace(space, 0, () => this.calls.site(account, 'files.tidy', { before }, deadline)), () => undefined);
  }
}

/** Returns exactly the fields of the wire format. */
function plain({ from, names, to }: Relocation) {
  return { from, names, to };
}

function targetOf({ folder, name, size, tag }: UploadTarget) {
  return { folder, name, size, tag };
}

function withoutSpace(result: DriverResult<FileActionResult & { readonly space: number }>): DriverResult<FileActionResult> {
  return mapped(result, ({ done, left }) => ({ done, left }));
}
