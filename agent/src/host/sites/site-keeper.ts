import type { Log } from '../../log.js';
import { messageOf } from '../../errors.js';
import { HostRefusal, SiteMissing } from '../refusal.js';
import { withoutDropped, type SiteRecord } from '../records/site-record.js';
import { SiteLocks } from './site-locks.js';
import type { SiteRecords } from '../records/site-records.js';

/** Applies records to the system; idempotent. */
export interface SiteSystem {
  /**
   * Makes the system match a record. @throws HostRefusal if the system rejects it
   * @throws HostRefusal where the system would not take it
   */
  apply(site: SiteRecord): Promise<void>;
  /** Stops serving a site. If it fails halfway, {@link apply} restores the site. @throws HostRefusal */
  hide(site: SiteRecord): Promise<void>;
  /** Removes everything of a site. */
  remove(site: SiteRecord): Promise<void>;
}

/** A site name and the account expected to own it. */
export interface SiteReference {
  readonly name: string;
  readonly mark: string;
}

/**
 * Applies changes of sites, one at a time per site: first stored, then applied. {@link recover} completes a change the agent was
 * interrupted in, or restores the previous state if the system rejects it.
 */
export class SiteKeeper {
  private readonly locks = new SiteLocks();

  constructor(
    readonly records: SiteRecords,
    private readonly system: SiteSystem,
    private readonly log: Log,
  ) {}

  /** Returns a site of the account. @throws SiteMissing @throws HostRefusal `FOREIGN` */
  require({ name, mark }: SiteReference): SiteRecord {
    const record = this.records.live(name);
    if (!record) throw new SiteMissing();
    if (record.mark !== mark) throw foreign(name);
    return record;
  }

  /**
   * Changes a site. @param change maps the current record; an error it throws changes nothing
   * @returns whether anything changed
   */
  change(reference: SiteReference, change: (record: SiteRecord) => SiteRecord | Promise<SiteRecord>): Promise<boolean> {
    return this.withLock(reference.name, async () => {
      const before = this.require(reference);
      return this.applyRecord(await change(before), before);
    });
  }

  /** Applies a record while holding the site's lock; `before` null creates a site. @returns whether anything changed */
  async applyRecord(record: SiteRecord, before: SiteRecord | null): Promise<boolean> {
    if (before && JSON.stringify(before) === JSON.stringify(record)) return false;
    await this.records.begin(record, before);
    try {
      await this.system.apply(record);
    } catch (error) {
      await this.undo(record, before, error);
      throw error;
    }
    await this.records.finish(withoutDropped(record));
    return true;
  }

  /** Removes a site permanently while holding its lock. */
  async destroy(record: SiteRecord): Promise<void> {
    const leaving = { ...record, isLeaving: true };
    await this.records.begin(leaving, null);
    await this.system.remove(leaving);
    await this.records.forget(leaving);
  }

  /** Like {@link destroy} for a site that is served: it is kept or restored if nginx cannot drop it. @throws HostRefusal */
  async destroyServed(record: SiteRecord): Promise<void> {
    if (record.isLeaving) return this.destroy(record);
    const leaving = { ...record, isLeaving: true };
    await this.records.begin(leaving, null);
    try {
      await this.system.hide(record);
    } catch (error) {
      await this.undo(leaving, record, error);
      throw error;
    }
    await this.destroy(record);
  }

  /** Runs work while holding the lock of a site. */
  withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.locks.run(name, work);
  }

  /** Completes interrupted changes; called at the start. */
  async recover(): Promise<void> {
    for (const { record, before } of this.records.pending()) {
      this.log.warning('Completing an interrupted change of a site', { site: record.name });
      try {
        if (record.isLeaving) await this.destroy(record);
        else {
          await this.system.apply(record);
          await this.records.finish(withoutDropped(record));
        }
      } catch (error) {
        this.log.error(`An interrupted change of a site cannot be completed: ${messageOf(error)}`, { site: record.name });
        if (error instanceof HostRefusal && !record.isLeaving) await this.undo(record, before, error);
      }
    }
  }

  /** Restores the previous state; a new site is removed. What cannot be undone stays pending for the next start. */
  private async undo(record: SiteRecord, before: SiteRecord | null, cause: unknown): Promise<void> {
    try {
      if (!before) return await this.destroy(record);
      await this.records.begin(before, before);
      await this.system.apply(before);
      await this.records.finish(withoutDropped(before));
    } catch (error) {
      this.log.error(`A change of a site could be neither applied nor rolled back: ${messageOf(error)}`, {
        site: record.name,
        cause: messageOf(cause),
      });
    }
  }
}

/** Returns the error for a site of another account. */
export function foreign(name: string): HostRefusal {
  return new HostRefusal('FOREIGN', `The site ${name} belongs to another account.`);
}
