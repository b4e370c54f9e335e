import * as fs from 'node:fs/promises';
import path from 'node:path';

import { asRecord } from '../../record.js';
import { dropFile, putFile, readText } from '../files.js';
import type { SiteUser } from '../users/system-users.js';
import type { SiteLogs } from './site-logs.js';

/** Stored traffic of a site. */
interface Known {
  /** Cursor up to which its logs were read. */
  readonly cursor: string;
  /** Bytes per month. */
  readonly months: Readonly<Record<string, number>>;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Matches a line of the combined format: month, year, and the bytes after the status. */
const LINE = /^[^[]*\[\d\d\/([A-Z][a-z]{2})\/(\d{4}):[^\]]*\] "(?:[^"\\]|\\.)*" \d{3} (\d+) /;
const MAX_MONTHS = 24;

/**
 * Counts the bytes sites sent per month. Sums and cursor are written together, so that a crash neither skips a log line nor counts it
 * twice.
 */
export class Traffic {
  private readonly folder: string;

  constructor(
    stateDir: string,
    private readonly logs: SiteLogs,
  ) {
    this.folder = path.join(stateDir, 'traffic');
  }

  /** Counts the new log lines. @returns bytes per month */
  async count(site: Pick<SiteUser, 'user'>): Promise<Readonly<Record<string, number>>> {
    await fs.mkdir(this.folder, { recursive: true, mode: 0o700 });
    const file = path.join(this.folder, `${site.user}.json`);
    const known = asRecord(JSON.parse((await readText(file)) ?? 'null')) as unknown as Known | null;
    let [cursor, isChanged] = [known?.cursor ?? '', false];
    const months: Record<string, number> = { ...known?.months };
    for (;;) {
      const { text, next } = await this.logs.read(site, cursor);
      if (next === cursor) break;
      add(months, text);
      [cursor, isChanged] = [next, true];
    }
    const kept = Object.fromEntries(Object.entries(months).sort().slice(-MAX_MONTHS));
    if (isChanged) await putFile(file, JSON.stringify({ cursor, months: kept } satisfies Known), { mode: 0o600 });
    return kept;
  }

  /** Deletes the data of a site. */
  async forget({ user }: Pick<SiteUser, 'user'>): Promise<void> {
    await dropFile(path.join(this.folder, `${user}.json`));
  }
}

function add(months: Record<string, number>, text: Buffer): void {
  for (const line of text.toString('latin1').split('\n')) {
    const [, name = '', year, bytes] = LINE.exec(line) ?? [];
    const month = MONTHS.indexOf(name) + 1;
    if (month === 0) continue;
    const key = `${year}-${String(month).padStart(2, '0')}`;
    months[key] = (months[key] ?? 0) + Number(bytes);
  }
}
