import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';

import { Faults, executionContext, loggerFor, packWords, unpackWords } from '../common/index.js';
import { Database, fromSqlTime } from '../database/index.js';

/** How long faults are collected before they are written, in milliseconds: a plugin may fail a thousand times a second. */
const GATHERING = 2_000;

const log = loggerFor('plugins');

/** Stores the last fault of every plugin in the database, so that it survives a restart. */
@Injectable()
export class FaultKeeper implements BeforeApplicationShutdown {
  private readonly changed = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private readonly all;
  private readonly write;
  private readonly remove;

  constructor(
    database: Database,
    private readonly faults: Faults,
  ) {
    this.all = database.statement<{ slug: string; place: string; message: string; at: string }>(
      `SELECT {PluginFault.slug} AS slug, {PluginFault.place} AS place, {PluginFault.message} AS message, {PluginFault.occurredAt} AS at
       FROM {PluginFault} ORDER BY {PluginFault.id} LIMIT 1000`,
    );
    this.write = database.statement(
      `INSERT INTO {PluginFault} ({PluginFault.slug}, {PluginFault.place}, {PluginFault.message}, {PluginFault.occurredAt}) VALUES (?, ?, ?,
        ?)
       ${database.onConflict('slug')} {PluginFault.place} = ?, {PluginFault.message} = ?, {PluginFault.occurredAt} = ?`,
    );
    this.remove = database.statement('DELETE FROM {PluginFault} WHERE {PluginFault.slug} = ?');
  }

  /** Loads the faults of earlier processes, and stores new ones. */
  async start(): Promise<void> {
    for (const { slug, place, message, at } of await this.all.all())
      this.faults.restore(slug, { place, message: unpackWords(message), at: fromSqlTime(at), count: 0 });
    this.faults.on('change', (owner) => {
      this.changed.add(owner);
      // Outside of any context: the failing code's context must not be inherited by the timer.
      this.timer ??= executionContext.exit(() => setTimeout(() => void this.flush(), GATHERING).unref());
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  /** Writes changed faults; one that cannot be written is logged and tried again with the next change. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const owner of [...this.changed]) {
      this.changed.delete(owner);
      const fault = this.faults.last(owner);
      try {
        if (!fault) await this.remove.run(owner);
        else {
          const place = fault.place.slice(0, 200);
          const message = packWords(fault.message, 500);
          await this.write.run(owner, place, message, fault.at, place, message, fault.at);
        }
      } catch (error) {
        log.warn({ err: error, plugin: owner }, 'the last fault of a plugin could not be stored');
      }
    }
  }
}
