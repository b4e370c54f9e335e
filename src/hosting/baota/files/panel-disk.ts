import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';

import type { DriverNode } from '../../driver/index.js';
import { isRecord, messageOf, PanelClient, PanelProblem, requireData, requireDone, rowsOf, textOf } from '../client/index.js';
import { readBytes } from '../sites/index.js';

import { type PanelEntry, readEntry } from './panel-entry.js';

/** Entries of one page of a folder, and pages of it that are looked at. */
const PAGE = 2_000;
const MOST_PAGES = 10;
/** Bytes of a piece of what is sent. */
const PIECE = 4 * 1024 * 1024;

/** Contents of a folder of a server. */
export interface PanelFolder {
  readonly entries: readonly PanelEntry[];
  /** There is more than is looked at. */
  readonly cut: boolean;
}

/**
 * Files of a server through its panel, by paths that were checked before: the panel works as root, and follows links.
 * Everything throws PanelProblem.
 */
@Injectable()
export class PanelDisk {
  constructor(private readonly client: PanelClient) {}

  /** What a folder holds; null where there is none. */
  async folder(node: DriverNode, path: string, signal: AbortSignal): Promise<PanelFolder | null> {
    const entries: PanelEntry[] = [];
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const fields = { path, p: page, showRow: PAGE, sort: 'name', reverse: 'False' };
      const answer = await this.client.call(node, '/files?action=GetDir', fields, signal);
      if (isRecord(answer) && answer.status === false && /不存在/.test(messageOf(answer))) return null;
      const { DIR, FILES, PATH } = requireData(answer);
      if (!Array.isArray(DIR) || !Array.isArray(FILES)) throw new PanelProblem({ outcome: 'unknown', message: 'no list of a folder' });
      // Older panels show another folder in place of one that is not there.
      if (textOf(PATH).replace(/\/+$/, '') !== path) return null;
      entries.push(...DIR.map((line) => readEntry(textOf(line), true)), ...FILES.map((line) => readEntry(textOf(line), false)));
      if (DIR.length + FILES.length < PAGE) return { entries, cut: false };
    }
    return { entries, cut: true };
  }

  /** Makes a folder with those above it; one that is there stays. */
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

  /** Removes a file or a folder for good; one that is gone is no fault. */
  async remove(node: DriverNode, path: string, isFolder: boolean, signal: AbortSignal): Promise<void> {
    const answer = saidBy(await this.client.call(node, `/files?action=${isFolder ? 'DeleteDir' : 'DeleteFile'}`, { path }, signal));
    if (answer.status !== true && !/不存在/.test(messageOf(answer))) requireDone(answer);
  }

  /** Bytes of everything below a path. */
  async size(node: DriverNode, path: string, signal: AbortSignal): Promise<number> {
    const { size } = requireData(await this.client.call(node, '/files?action=get_path_size', { path }, signal));
    return Math.max(0, Math.floor(Number(textOf(size)) || 0));
  }

  /** Bytes there are and that are free where a path lies, as the panel rounds them; 0 where it does not say. */
  async room(node: DriverNode, path: string, signal: AbortSignal): Promise<{ free: number; total: number }> {
    const disks = rowsOf(await this.client.call(node, '/system?action=GetDiskInfo', {}, signal));
    const fitting = disks.filter((disk) => `${path}/`.startsWith(`${textOf(disk.path).replace(/\/+$/, '')}/`));
    const nearest = fitting.sort((a, b) => textOf(b.path).length - textOf(a.path).length)[0];
    const [total, , free] = (Array.isArray(nearest?.size) ? nearest.size : []).map((size) => readBytes(textOf(size)));
    return { free: free ?? 0, total: total ?? 0 };
  }

  /** A short text; null for one that is not there. */
  async text(node: DriverNode, path: string, signal: AbortSignal): Promise<string | null> {
    const answer = saidBy(await this.client.call(node, '/files?action=GetFileBody', { path }, signal));
    return answer.status === true ? textOf(answer.data) : null;
  }

  /** Writes a file whole, in pieces; the folders above it are made. */
  async write(node: DriverNode, folder: string, name: string, bytes: Buffer, signal: AbortSignal): Promise<void> {
    for (let start = 0; start === 0 || start < bytes.length; start += PIECE)
      await this.piece(node, { folder, name, size: bytes.length, start }, bytes.subarray(start, start + PIECE), signal);
  }

  /**
   * Sends a piece of a file. It is `<name>.<size>.upload.tmp` until the last one is there.
   *
   * @returns how much of it is there; all of it when it is whole
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

  /** A file from a byte on; whoever asks ends the stream. @returns which byte it begins with, too */
  async open(node: DriverNode, path: string, from: number, signal: AbortSignal): Promise<{ from: number; content: IncomingMessage }> {
    const fields = { filename: path, ps: 'svc', password: '', expire: 1 };
    const { msg } = requireDone(await this.client.call(node, '/files?action=create_download_url', fields, signal));
    const { id, token } = isRecord(msg) ? msg : {};
    if (!/^\w{6,48}$/.test(textOf(token))) throw new PanelProblem({ outcome: 'unknown', message: 'no link to a file' });
    const headers: Record<string, string> = from > 0 ? { Range: `bytes=${from}-` } : {};
    try {
      const content = await this.client.get(node, `/down/${textOf(token)}`, headers, signal);
      // The link has done what it was for once its answer has begun.
      content.once('close', () => void this.forget(node, textOf(id)));
      return { from: content.statusCode === 206 ? from : 0, content };
    } catch (error) {
      await this.forget(node, textOf(id));
      throw error;
    }
  }

  /** It works for an hour at most, where it cannot be taken away. */
  private async forget(node: DriverNode, id: string): Promise<void> {
    if (id === '') return;
    await this.client.call(node, '/files?action=remove_download_url', { id }, AbortSignal.timeout(10_000)).catch(() => undefined);
  }
}

/** An answer that may say no. */
function saidBy(answer: unknown): Record<string, unknown> {
  if (!isRecord(answer)) throw new PanelProblem({ outcome: 'unknown', message: 'no answer of a server panel' });
  return answer;
}
