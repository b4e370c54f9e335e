import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import path from 'node:path';

import { asRecord } from '../../record.js';
import { dropFile, putFile, readText } from '../files.js';
import { withoutDropped, type SiteRecord } from './site-record.js';

/** A record and whether the system matches it. */
interface Entry {
  readonly record: SiteRecord;
  /** Previous record, while this one may not be applied yet. */
  readonly before: SiteRecord | null;
  /** Whether this record may not be applied yet. */
  readonly isPending: boolean;
}

const FILE = { mode: 0o600 } as const;

/**
 * The sites of this server, one file each in the agent's state folder, cached in memory. A change is stored as pending together with the
 * previous record before it is applied, so that after a crash the next start ends in one of the two states.
 */
export class SiteRecords {
  private readonly entries = new Map<string, Entry>();

  private constructor(private readonly folder: string) {}

  /** Loads all records. */
  static async open(stateDir: string): Promise<SiteRecords> {
    const records = new SiteRecords(path.join(stateDir, 'sites'));
    await fs.mkdir(records.folder, { recursive: true, mode: 0o700 });
    for (const name of await fs.readdir(records.folder)) {
      if (!name.endsWith('.json')) continue;
      const entry = asRecord(JSON.parse((await readText(path.join(records.folder, name))) ?? 'null')) as unknown as Entry | null;
      if (entry) records.entries.set(entry.record.user, entry);
    }
    return records;
  }

  /** Returns the active site of a name. */
  live(name: string): SiteRecord | null {
    return this.find((record) => record.name === name && !record.isKept && !record.isLeaving);
  }

  /** Returns the site of a name in the bin. */
  kept(name: string): SiteRecord | null {
    return this.find((record) => record.name === name && record.isKept && !record.isLeaving);
  }

  /** Returns a site of a name and account that is being removed without having been in the bin. */
  leaving({ name, mark }: Pick<SiteRecord, 'name' | 'mark'>): SiteRecord | null {
    return this.find((record) => record.name === name && record.mark === mark && !record.isKept && record.isLeaving);
  }

  /** Returns the first matching record. */
  find(isOne: (record: SiteRecord) => boolean): SiteRecord | null {
    return this.all().find(isOne) ?? null;
  }

  /** Returns all records, sorted by name. */
  all(): SiteRecord[] {
    return [...this.entries.values()].map(({ record }) => record).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }

  /** Returns the changes that a crash interrupted. */
  pending(): Entry[] {
    return [...this.entries.values()].filter(({ isPending, record }) => isPending || withoutDropped(record) !== record);
  }

  /**
   * Returns an unused user name and UID.
   *
   * @param wanted preferred name, used if no site of this server has it
   */
  async newUser(firstUid: number, wanted: string | null = null): Promise<{ user: string; uid: number }> {
    const file = path.join(this.folder, 'last-uid');
    const known = [firstUid - 1, Number.parseInt((await readText(file)) ?? '', 10) || 0, ...this.all().map(({ uid }) => uid)];
    const uid = Math.max(...known) + 1;
    await putFile(file, String(uid), FILE);
    const isFree = wanted !== null && !this.entries.has(wanted);
    return { user: isFree ? wanted : `svc${randomBytes(4).toString('hex')}`, uid };
  }

  /** Stores a record as pending; {@link finish} follows. @param before null for a new site */
  async begin(record: SiteRecord, before: SiteRecord | null): Promise<void> {
    await this.write({ record, before, isPending: true });
  }

  /** Marks a record as applied. */
  async finish(record: SiteRecord): Promise<void> {
    await this.write({ record, before: null, isPending: false });
  }

  /** Deletes the record of a removed site. */
  async forget({ user }: SiteRecord): Promise<void> {
    await dropFile(this.fileOf(user));
    this.entries.delete(user);
  }

  private async write(entry: Entry): Promise<void> {
    await putFile(this.fileOf(entry.record.user), JSON.stringify(entry), FILE);
    this.entries.set(entry.record.user, entry);
  }

  private fileOf(user: string): string {
    return path.join(this.folder, `${user}.json`);
  }
}
