import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import type { DriverAccount, DriverNode, DriverResult, SiteLogDay, SiteLogPart, StatisticsPort } from '../../driver/index.js';
import { answering, messageOf, PanelClient, requireDone } from '../client/index.js';
import { PanelSites } from '../sites/index.js';

import { PanelDisk } from './panel-disk.js';

const FOLDER = '/www/wwwlogs';
/** Bytes read at a time, and bytes at the start of a log that identify it. */
const PART = 1024 * 1024;
const HEAD = 256;

/**
 * Access logs of sites on servers running BaoTa, read where its web server writes them. Logs of past days have no predictable names there,
 * so none are listed.
 */
@Injectable()
export class BaotaLogs implements StatisticsPort {
  constructor(
    private readonly client: PanelClient,
    private readonly sites: PanelSites,
    private readonly disk: PanelDisk,
  ) {}

  grown(node: DriverNode, since: Date | null, deadline: AbortSignal): Promise<DriverResult<readonly string[]>> {
    return answering(async () => {
      const folder = await this.disk.folder(node, FOLDER, deadline);
      const from = since ? Math.floor(since.getTime() / 1_000) * 1_000 : 0;
      const logs = folder?.entries.filter(
        ({ name, type, changedAt, size }) => type === 'file' && name.endsWith('.log') && changedAt >= from && size > 0,
      );
      return (logs ?? []).map(({ name }) => name.slice(0, -4));
    });
  }

  read(account: DriverAccount, cursor: string, deadline: AbortSignal): Promise<DriverResult<SiteLogPart>> {
    return answering(async () => {
      const { node, siteName } = account;
      await this.sites.own(account, deadline);
      const path = `${FOLDER}/${siteName}.log`;
      const size = await this.sizeOf(node, siteName, deadline);
      if (size === 0) return { text: '', next: cursor };
      const head = await this.part(node, path, 0, Math.min(HEAD, size), deadline);
      const [, offset = '0', length = '0', sum = ''] = /^(\d{1,15})\.(\d{1,4})\.([0-9a-f]{16})$/.exec(cursor) ?? [];
      const isSame = Number(offset) <= size && sumOf(head.subarray(0, Number(length))) === sum;
      const from = isSame ? Number(offset) : 0;
      const bytes = from < size ? await this.part(node, path, from, Math.min(PART, size - from), deadline) : Buffer.alloc(0);
      const whole = bytes.subarray(0, bytes.lastIndexOf(10) + 1);
      // A line longer than one read is not a log line; skip it.
      const taken = whole.length === 0 && bytes.length === PART ? PART : whole.length;
      return { text: whole.toString(), next: `${from + taken}.${head.length}.${sumOf(head)}` };
    });
  }

  last(account: DriverAccount, lines: number, deadline: AbortSignal): Promise<DriverResult<readonly string[]>> {
    return answering(async () => {
      const { node, siteName } = account;
      await this.sites.own(account, deadline);
      if ((await this.sizeOf(node, siteName, deadline)) === 0) return [];
      const answer = requireDone(await this.client.call(node, '/site?action=GetSiteLogs', { siteName }, deadline));
      const text = typeof answer.msg === 'string' ? answer.msg : messageOf(answer);
      return text
        .split(/\r?\n/)
        .filter((line) => line !== '')
        .slice(-lines);
    });
  }

  days(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<readonly SiteLogDay[]>> {
    return answering(async () => {
      await this.sites.own(account, deadline);
      return [];
    });
  }

  open(
    _account: DriverAccount,
    _day: string,
    _deadline: AbortSignal,
  ): Promise<DriverResult<{ readonly log: SiteLogDay; readonly content: Readable }>> {
    return Promise.resolve({ outcome: 'not_found' });
  }

  private async sizeOf(node: DriverNode, siteName: string, signal: AbortSignal): Promise<number> {
    const entry = (await this.disk.folder(node, FOLDER, signal))?.entries.find(({ name }) => name === `${siteName}.log`);
    return entry?.type === 'file' ? entry.size : 0;
  }

  /** Reads `length` bytes from an offset, however much the server sends. */
  private async part(node: DriverNode, path: string, from: number, length: number, signal: AbortSignal): Promise<Buffer> {
    const opened = await this.disk.open(node, path, from, signal);
    const chunks: Buffer[] = [];
    let at = opened.from;
    for await (const chunk of opened.content as AsyncIterable<Buffer>) {
      const wanted = chunk.subarray(Math.max(0, from - at), Math.max(0, from + length - at));
      if (wanted.length > 0) chunks.push(wanted);
      at += chunk.length;
      if (at >= from + length) break;
    }
    opened.content.destroy();
    return Buffer.concat(chunks);
  }
}

function sumOf(bytes: Buffer): string {
  return hash('sha256', bytes, 'hex').slice(0, 16);
}
