import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';

import type { DriverNode } from '../../driver/index.js';
import { isRecord, messageOf, PanelClient, PanelProblem, requireData, requireDone, rowsOf, textOf } from '../client/index.js';
import { readBytes } from '../sites/index.js';

import { type PanelEntry, readEntry } from './panel-entry.js';

/** Entries per page of a folder, and maximum number of pages read. */
const PAGE = 2_000;
const MAX_PAGES = 10;
/** Bytes per uploaded chunk. */
const PIECE = 4 * 1024 * 1024;

/** Content of a folder on a server. */
export interface PanelFolder {
  readonly entries: readonly PanelEntry[];
  /** The list is incomplete because the folder is too large. */
  readonly cut: boolean;
}

/**
 * Accesses files of a server through its panel, by paths that were checked before: the panel works as root and follows links. All methods
 * throw PanelProblem.
 */
@Injectable()
export class PanelDisk {
  constructor(private readonly client: PanelClient) {}

  /** Lists a folder; null if it does not exist. */
  async folder(node: DriverNode, path: string, signal: AbortSignal): Promise<PanelFolder | null> {
    const entries: PanelEntry[] = [];
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const fields = { path, p: page, showRow: PAGE, sort: 'name', reverse: 'False' };
      const answer = await this.client.call(node, '/files?action=GetDir', fields, signal);
      if (isRecord(answer) && answer.status === false && /不存在/.test(messageOf(answer))) return null;
      const { DIR, FILES, PATH } = requireData(answer);
      if (!Array.isArray(DIR) || !Array.isArray(FILES))
        throw new PanelProblem({ outcome: 'unknown', message: 'the response is not a file list' });
      // Older panels list another folder instead of one that does not exist.
      if (textOf(PATH).replace(/\/+$/, '') !== path) return null;
      entries.push(...DIR.map((line) => readEntry(textOf(line), true)), ...FILES.map((line) => readEntry(textOf(line), false)));
      if (DIR.length + FILES.length < PAGE) return { entries, cut: false };
    }
    return { entries, cut: true };
  }

  /** Creates a folder with its parents; an existing one is left as it is. */
  async makeFolder(node: DriverNode, path: string, signal: AbortSignal): Promise<void> {
    const answer = saidBy(await this.client.call(node, '/files?action=CreateDir', { path }, signal));
    if (answer.status !== true && !/已存在/.test(messageOf(answer))) requireDone(answer);
  }

  async move(node: DriverNode, from: string, to: string, signal: AbortSignal): Promise<void> {
    requireDone(await this.client.call(node, '/files?action=MvFile', { sfile: from, dfile: to }, signal));
  }

  async copy(node: DriverNode, from: string, to: string, signal: AbortSignal): Promise<void> {
    requireDone(await this.client.call(node, '/files?action=CopyFile', { sfile: from, dfile: to }, signal));
  }

  /** Permanently removes a file or a folder; one that does not exist is no error. */
  async remove(node: DriverNode, path: string, isFolder: boolean, signal: AbortSignal): Promise<void> {
    const answer = saidBy(await this.client.call(node, `/files?action=${isFolder ? 'DeleteDir' : 'DeleteFile'}`, { path }, signal));
    if (answer.status !== true && !/不存在/.test(messageOf(answer))) requireDone(answer);
  }

  /** Total bytes below a path. */
  async size(node: DriverNode, path: string, signal: AbortSignal): Promise<number> {
    const { size } = requireData(await this.client.call(node, '/files?action=get_path_size', { path }, signal));
    return Math.max(0, Math.floor(Number(textOf(size)) || 0));
  }

  /** Free and total bytes of the disk of a path, as the panel rounds them; 0 if it does not say. */
  async room(node: DriverNode, path: string, signal: AbortSignal): Promise<{ free: number; total: number }> {
    const disks = rowsOf(await this.client.call(node, '/system?action=GetDiskInfo', {}, signal));
    const fitting = disks.filter((disk) => `${path}/`.startsWith(`${textOf(disk.path).replace(/\/+$/, '')}/`));
    const nearest = fitting.sort((a, b) => textOf(b.path).length - textOf(a.path).length)[0];
    const [total, , free] = (Array.isArray(nearest?.size) ? nearest.size : []).map((size) => readBytes(textOf(size)));
    return { free: free ?? 0, total: total ?? 0 };
  }

  /** Reads a short text file; null if it does not exist. */
  async text(node: DriverNode, path: string, signal: AbortSignal): Promise<string | null> {
    const answer = saidBy(await this.client.call(node, '/files?action=GetFileBody', { path }, signal));
    return answer.status === true ? textOf(answer.data) : null;
  }

  /** Writes a whole file in chunks; missing parent folders are created. */
  async write(node: DriverNode, folder: string, name: string, bytes: Buffer, signal: AbortSignal): Promise<void> {
    for (let start = 0; start === 0 || start < bytes.length; start += PIECE)
      await this.piece(node, { folder, name, size: bytes.length, start }, bytes.subarray(start, start + PIECE), signal);
  }

  /**
   * Uploads one chunk of a file, which is called `<name>.<size>.upload.tmp` until it is complete.
   *
   * @returns how many bytes the server has; the full size once the file is complete
   */
  async piece(
    node: DriverNode,
    { folder, name, size, start }: { readonly folder: string; readonly name: string; readonly size: number; readonly start: number },
    piece: Buffer,
    signal: AbortSignal,
  ): Promise<number> {
    const fields = { f_path: folder, f_name: name, f_size: size, f_start: start };
    const answer = await this.client.callWith(node, '/files?action=upload', fields, piece, signal);
    if (typeof answer === 'number') return answer;
    requireDone(answer);
    return size;
  }

  /** Opens a file from an offset; the caller ends the stream. @returns also the offset at which the content really begins */
  async open(node: DriverNode, path: string, from: number, signal: AbortSignal): Promise<{ from: number; content: IncomingMessage }> {
    const fields = { filename: path, ps: 'svc', password: '', expire: 1 };
    const { msg } = requireDone(await this.client.call(node, '/files?action=create_download_url', fields, signal));
    const { id, token } = isRecord(msg) ? msg : {};
    if (!/^\w{6,48}$/.test(textOf(token))) throw new PanelProblem({ outcome: 'unknown', message: 'the response has no download link' });
    const headers: Record<string, string> = from > 0 ? { Range: `bytes=${from}-` } : {};
    try {
      const content = await this.client.get(node, `/down/${textOf(token)}`, headers, signal);
      // The link is no longer needed once the response ends.
      content.once('close', () => void this.forget(node, textOf(id)));
      return { from: content.statusCode === 206 ? from : 0, content };
    } catch (error) {
      await this.forget(node, textOf(id));
      throw error;
    }
  }

  /** Revokes a download link; if that fails, it expires after at most an hour. */
  private async forget(node: DriverNode, id: string): Promise<void> {
    if (id === '') return;
    await this.client.call(node, '/files?action=remove_download_url', { id }, AbortSignal.timeout(10_000)).catch(() => undefined);
  }
}

/** Checks that a response is an object; it may still report a failure. */
function saidBy(answer: unknown): Record<string, unknown> {
  if (!isRecord(answer)) throw new PanelProblem({ outcome: 'unknown', message: 'not a response of a server panel' });
  return answer;
}
