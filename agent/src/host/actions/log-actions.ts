import { createReadStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import { Readable } from 'node:stream';

import type { ActionName } from '../../../../src/agents/wire/actions.js';
import { answered } from '../action-result.js';
import type { SiteLogs } from '../logs/site-logs.js';
import type { Traffic } from '../logs/traffic.js';
import { SiteMissing } from '../refusal.js';
import type { SiteKeeper } from '../sites/site-keeper.js';
import type { ActionHandlers } from './action-handlers.js';

type Names = Extract<ActionName, `logs.${string}` | 'traffic.month'>;

const PAGE = 500;
/** How many bytes at the end of a log are searched for the last lines. */
const TAIL = 512 * 1024;

/** Actions on the access logs and the traffic of sites. */
export function logActions(keeper: SiteKeeper, logs: SiteLogs, traffic: Traffic): ActionHandlers<Names> {
  return {
    'logs.grown': async (_site, { since, after }) => {
      const names: string[] = [];
      for (const site of keeper.records.all()) {
        if (site.isKept || site.isLeaving || (after !== null && site.name <= after)) continue;
        const files = await logs.files(site);
        if (files.some(({ bytes, changedAt }) => bytes > 0 && changedAt >= (since ?? 0))) names.push(site.name);
        if (names.length > PAGE) return answered({ sites: names.slice(0, PAGE), next: names[PAGE - 1]! });
      }
      return answered({ sites: names, next: null });
    },
    'logs.read': async (ref, { cursor }, { send }) => {
      const { text, next } = await logs.read(keeper.require(ref), cursor);
      await send({ bytes: text.length, content: Readable.from(text.length === 0 ? [] : [text]) });
      return answered({ next });
    },
    'logs.last': async (ref, { lines }, { send }) => {
      const files = (await logs.files(keeper.require(ref))).filter(({ isPacked, bytes }) => !isPacked && bytes > 0);
      const text = await lastLines(files.at(-1), lines);
      await send({ bytes: Buffer.byteLength(text), content: Readable.from(text === '' ? [] : [Buffer.from(text)]) });
      return answered({});
    },
    'logs.days': async (ref) => {
      const files = (await logs.files(keeper.require(ref))).reverse();
      return answered({ days: files.map(({ day, bytes, isPacked }) => ({ day, bytes, isPacked, isCut: false })) });
    },
    'logs.open': async (ref, { day }, { send }) => {
      const file = (await logs.files(keeper.require(ref))).find((one) => one.day === day && one.bytes > 0);
      if (!file) throw new SiteMissing();
      // The length was already announced, so lines appended in the meantime are left out.
      await send({ bytes: file.bytes, content: createReadStream(file.file, { end: file.bytes - 1 }) });
      return answered({});
    },
    'traffic.month': async (ref, { month }) =>
      answered({ bytes: await keeper.withLock(ref.name, async () => (await traffic.count(keeper.require(ref)))[month] ?? 0) }),
  };
}

async function lastLines(file: { readonly file: string; readonly bytes: number } | undefined, lines: number): Promise<string> {
  if (!file) return '';
  const handle = await fs.open(file.file, 'r');
  try {
    const from = Math.max(0, file.bytes - TAIL);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(TAIL), 0, TAIL, from);
    const text = buffer.toString('latin1', 0, bytesRead);
    const whole = text.slice(from === 0 ? 0 : text.indexOf('\n') + 1, text.lastIndexOf('\n') + 1);
    return whole
      .split('\n')
      .filter((line) => line !== '')
      .slice(-lines)
      .map((line) => `${line}\n`)
      .join('');
  } finally {
    await handle.close();
  }
}
