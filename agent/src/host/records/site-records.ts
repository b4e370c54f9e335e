import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import path from 'node:path';

import { asRecord } from '../../record.js';
import { dropFile, putFile, readText } from '../files.js';
import { followed, type SiteRecord } from './site-record.js';

/** How a record stands to the system. */
interface Entry {
  readonly record: SiteRecord;
  /** The record the system followed before, while it may not follow this one yet. */
  readonly before: SiteRecord | null;
  /** The system may not follow it yet. */
  readonly isPending: boolean;
}

const FILE = { mode: 0o600 } as const;

/**
 * The sites of this server: one file each in the agent's state folder, read once and kept in memory. A change is on the disk before
 * anything of it is done, as pending, with what was so before: whatever ends the agent then, its next start comes to one of the two.
 */
export class SiteRecords {
  private readonly entries = new Map<string, Entry>();

  private constructor(private readonly folder: string) {}

  /** Reads what is there. */
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

  /** The site of a name that is not in the bin. */
  live(name: string): SiteRecord | null {
    return this.find((record) => record.name === name && !record.isKept && !record.isLeaving);
  }

  /** The site of a name in the bin. */
  kept(name: string): SiteRecord | null {
    return this.find((record) => record.name === name && record.isKept && !record.isLeaving);
  }

  /** The site of a name, and of an account, that is being removed and was not in the bin. */
  leaving({ name, mark }: Pick<SiteRecord, 'name' | 'mark'>): SiteRecord | null {
    return this.find((record) => record.name === name && record.mark === mark && !record.isKept && record.isLeaving);
  }

  /** Whatever satisfies something. */
  find(isOne: (record: SiteRecord) => boolean): SiteRecord | null {
    return this.all().find(isOne) ?? null;
  }

  /** All of them, in the order of names. */
  all(): SiteRecord[] {
    return [...this.entries.values()].map(({ record }) => record).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }

  /** What a crash interrupted. */
  pending(): Entry[] {
    return [...this.entries.values()].filter(({ isPending, record }) => isPending || followed(record) !== record);
  }

  /**
   * Name and number of a user that no site has had.
   *
   * @param wanted a name it is to have where no site of this server has it
   */
  async newUser(firstUid: number, wanted: string | null = null): Promise<{ user: string; uid: number }> {
    const file = path.join(this.folder, 'last-uid');
    const known = [firstUid - 1, Number.parseInt((await readText(file)) ?? '', 10) || 0, ...this.all().map(({ uid }) => uid)];
    const uid = Math.max(...known) + 1;
    await putFile(file, String(uid), FILE);
    const isFree = wanted !== null && !this.entries.has(wanted);
    return { user: isFree ? wanted : `svc${randomBytes(4).toString('hex')}`, uid };
  }

  /** Notes what a site is to be; {@link finish} follows. @param before null of a new one */
  async begin(record: SiteRecord, before: SiteRecord | null): Promise<void> {
    await this.write({ record, before, isPending: true });
  }

  /** The system follows this. */
  async finish(record: SiteRecord): Promise<void> {
    await this.write({ record, before: null, isPending: false });
  }

  /** The site is gone. */
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
