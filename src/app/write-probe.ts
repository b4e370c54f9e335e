import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { Clock, errorMessage, loggerFor, waitAtMost } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database } from '../database/index.js';

const log = loggerFor('panel');
/** How long a result is cached, and the timeout of a probe, in milliseconds. */
const FRESH_MS = 5_000;
const TIMEOUT_MS = 2_000;
/** One block of most file systems: on a full disk an empty file can still be created. */
const BYTES = Buffer.alloc(4_096, 1);

/** A target that cannot be written. */
export type Unwritable = 'data folder' | 'database';

/** Probes whether data can be stored, so that a full disk, missing permissions or a read-only database are found before a request fails. */
@Injectable()
export class WriteProbe {
  private unwritable: Unwritable[] = [];
  private askedAt = -Infinity;
  private probing: Promise<void> | null = null;
  private readonly mark;

  constructor(
    private readonly config: AppConfig,
    database: Database,
    private readonly clock: Clock,
  ) {
    // A row of a table whose rows expire automatically.
    this.mark = database.statement(
      `INSERT INTO {RateLimit} ({RateLimit.key}, {RateLimit.count}, {RateLimit.resetsAt}) VALUES ('readyz', 0,
        ?) ${database.onConflict('key')} {RateLimit.resetsAt} = ?`,
    );
  }

  /** Returns the targets that cannot be written; probes again if the last result is older than five seconds. */
  async current(): Promise<readonly Unwritable[]> {
    if (performance.now() - this.askedAt > FRESH_MS) this.probing ??= this.probeAll().finally(() => (this.probing = null));
    await this.probing;
    return this.unwritable;
  }

  /** Writes a row. */
  async writeRow(): Promise<void> {
    const until = new Date(this.clock.now().getTime() + 60_000);
    await this.mark.run(until, until);
  }

  /** Writes a file, syncs it to disk, and removes it. */
  async writeFile(): Promise<void> {
    const path = join(this.config.dataDir, `.writable-${randomUUID()}`);
    try {
      const file = await open(path, 'wx', 0o600);
      try {
        await file.writeFile(BYTES);
        await file.sync();
      } finally {
        await file.close();
      }
    } finally {
      await rm(path, { force: true });
    }
  }

  private async probeAll(): Promise<void> {
    const found = await Promise.all([this.probe('data folder', this.writeFile()), this.probe('database', this.writeRow())]);
    const now = found.filter((name) => name !== null);
    if (now.length === 0 && this.unwritable.length > 0) log.info('data folder and database can be written again');
    this.unwritable = now;
    this.askedAt = performance.now();
  }

  private async probe(name: Unwritable, work: Promise<void>): Promise<Unwritable | null> {
    let failure: unknown = new Error('no response in time');
    const outcome = work.then(
      () => (failure = null),
      (error: unknown) => (failure = error),
    );
    await waitAtMost(outcome, TIMEOUT_MS);
    if (failure === null) return null;
    // Logged once when a problem begins, not on every probe.
    if (!this.unwritable.includes(name))
      log.error({ err: failure }, `the ${name} cannot be written (${errorMessage(failure)}): check its disk and its permissions`);
    return name;
  }
}
