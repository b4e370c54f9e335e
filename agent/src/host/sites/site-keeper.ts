import type { Log } from '../../log.js';
import { messageOf } from '../../errors.js';
import { HostRefusal, SiteMissing } from '../refusal.js';
import { followed, type SiteRecord } from '../records/site-record.js';
import { SiteTurns } from './site-turns.js';
import type { SiteRecords } from '../records/site-records.js';

/** What makes the system follow a record; done again, it comes to the same end. */
export interface SiteSystem {
  /** @throws HostRefusal where the system would not take it */
  follow(site: SiteRecord): Promise<void>;
  /** Ends that anybody visits a site. Where it fails, some of it may be done: {@link follow} brings that back. @throws HostRefusal */
  hide(site: SiteRecord): Promise<void>;
  /** Takes everything of a site away. */
  remove(site: SiteRecord): Promise<void>;
}

/** Whose site somebody asks for. */
export interface SiteReference {
  readonly name: string;
  readonly mark: string;
}

/**
 * Changes of sites: noted first, done then. One at a time for a site. Whatever ends the agent in the middle, {@link recover} comes to the
 * end of it; where the system would not take it, to what was so before.
 */
export class SiteKeeper {
  private readonly turns = new SiteTurns();

  constructor(
    readonly records: SiteRecords,
    private readonly system: SiteSystem,
    private readonly log: Log,
  ) {}

  /** The site somebody asks for. @throws SiteMissing @throws HostRefusal `FOREIGN` */
  require({ name, mark }: SiteReference): SiteRecord {
    const record = this.records.live(name);
    if (!record) throw new SiteMissing();
    if (record.mark !== mark) throw foreign(name);
    return record;
  }

  /**
   * Changes a site. @param change of the record as it is; what it throws changes nothing
   * @returns whether anything changed
   */
  change(reference: SiteReference, change: (record: SiteRecord) => SiteRecord | Promise<SiteRecord>): Promise<boolean> {
    return this.turn(reference.name, async () => {
      const before = this.require(reference);
      return this.become(await change(before), before);
    });
  }

  /** Makes the system follow a record, in a turn of its site; of none before, a new one. @returns whether anything changed */
  async become(record: SiteRecord, before: SiteRecord | null): Promise<boolean> {
    if (before && JSON.stringify(before) === JSON.stringify(record)) return false;
    await this.records.begin(record, before);
    try {
      await this.system.follow(record);
    } catch (error) {
      await this.undo(record, before, error);
      throw error;
    }
    await this.records.finish(followed(record));
    return true;
  }

  /** Takes a site away for good, in a turn of its site. */
  async destroy(record: SiteRecord): Promise<void> {
    const leaving = { ...record, isLeaving: true };
    await this.records.begin(leaving, null);
    await this.system.remove(leaving);
    await this.records.forget(leaving);
  }

  /** The same of a site that is served: it stays, or comes back, where the web server would not let go of it. @throws HostRefusal */
  async giveWay(record: SiteRecord): Promise<void> {
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

  /** Runs work of a site when what was begun before has ended. */
  turn<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.turns.take(name, work);
  }

  /** Comes to the end of what was interrupted; at the start. */
  async recover(): Promise<void> {
    for (const { record, before } of this.records.pending()) {
      this.log.warning('A change of a site was interrupted and is finished now', { site: record.name });
      try {
        if (record.isLeaving) await this.destroy(record);
        else {
          await this.system.follow(record);
          await this.records.finish(followed(record));
        }
      } catch (error) {
        this.log.error(`A site cannot be finished: ${messageOf(error)}`, { site: record.name });
        if (error instanceof HostRefusal && !record.isLeaving) await this.undo(record, before, error);
      }
    }
  }

  /** Back to what was so before; of a site there was not, to nothing. What cannot be undone now stays noted for the next start. */
  private async undo(record: SiteRecord, before: SiteRecord | null, cause: unknown): Promise<void> {
    try {
      if (!before) return await this.destroy(record);
      await this.records.begin(before, before);
      await this.system.follow(before);
      await this.records.finish(followed(before));
    } catch (error) {
      this.log.error(`A site is neither as it was nor as it is to be: ${messageOf(error)}`, { site: record.name, cause: messageOf(cause) });
    }
  }
}

/** A site that is somebody else's. */
export function foreign(name: string): HostRefusal {
  return new HostRefusal('FOREIGN', `The site ${name} belongs to another account.`);
}
