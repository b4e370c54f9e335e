import { processName, type Clock } from '../../common/index.js';
import { fromSqlTime, type Database, type Statement } from '../../database/index.js';
import type { DurableHook } from '../../sdk/index.js';

import type { DeliverySettings } from './delivery-settings.js';
import type { DeliveryState } from './event.entities.js';

/** Maximum number of keys per statement; more are queried in several statements. */
const KEYS_PER_STATEMENT = 500;
/** Maximum number of characters stored of an error. */
const ERROR_LENGTH = 2_000;

/** A due delivery, as read from the table a moment ago. */
export interface DueDelivery {
  readonly id: number;
  readonly eventId: number;
  readonly listenerKey: string;
  readonly subject: string;
  readonly priority: number;
  readonly state: Extract<DeliveryState, 'pending' | 'running'>;
  /** Number of previous attempts. */
  readonly attempts: number;
}

/** A delivery this process has claimed; `attempt` (from 1) distinguishes this claim from an older one of the same process. */
export interface ClaimedDelivery {
  readonly id: number;
  readonly eventId: number;
  readonly listenerKey: string;
  readonly subject: string;
  readonly attempt: number;
}

/** The event of a delivery. */
export interface StoredEvent {
  readonly id: number;
  readonly hook: DurableHook;
  readonly source: string;
  /** JSON of the arguments: each listener parses its own copy. */
  readonly args: string;
  /** JSON of the row. */
  readonly row: string;
  readonly createdAt: string;
}

/** The rows of deliveries as a queue: which are due, who has claimed them, and their outcome. Every change is a conditional update. */
export class DeliveryQueue {
  /** Name of this process in claims. */
  readonly processId = processName();
  private readonly dueStatements = new Map<number, Statement<DueDelivery>>();
  private readonly nextStatements = new Map<number, Statement<{ dueAt: string }>>();
  private readonly claimStatement;
  private readonly renewStatement;
  private readonly finishStatement;
  private readonly postponeStatement;
  private readonly deadLetterStatement;
  private readonly eventStatement;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly settings: DeliverySettings,
  ) {
    const ownClaim = `{EventDelivery.id} = ? AND {EventDelivery.state} = 'running' AND {EventDelivery.claimedBy} = ?
      AND {EventDelivery.attempts} = ?`;
    this.claimStatement = database.statement(
      `UPDATE {EventDelivery} SET {EventDelivery.state} = 'running', {EventDelivery.attempts} = ?, {EventDelivery.dueAt} = ?,
        {EventDelivery.claimedBy} = ?
       WHERE {EventDelivery.id} = ? AND {EventDelivery.state} = ? AND {EventDelivery.attempts} = ? AND {EventDelivery.dueAt} <= ?`,
    );
    this.renewStatement = database.statement(`UPDATE {EventDelivery} SET {EventDelivery.dueAt} = ? WHERE ${ownClaim}`);
    this.finishStatement = database.statement(
      `UPDATE {EventDelivery} SET {EventDelivery.state} = 'done', {EventDelivery.dueAt} = ?, {EventDelivery.finishedAt} = ?,
        {EventDelivery.claimedBy} = NULL, {EventDelivery.lastError} = NULL WHERE ${ownClaim}`,
    );
    this.postponeStatement = database.statement(
      `UPDATE {EventDelivery} SET {EventDelivery.state} = 'pending', {EventDelivery.dueAt} = ?, {EventDelivery.lastError} = ?,
        {EventDelivery.claimedBy} = NULL WHERE ${ownClaim}`,
    );
    this.deadLetterStatement = database.statement(
      `UPDATE {EventDelivery} SET {EventDelivery.state} = 'dead', {EventDelivery.dueAt} = ?, {EventDelivery.finishedAt} = ?,
        {EventDelivery.lastError} = ?, {EventDelivery.claimedBy} = NULL
       WHERE {EventDelivery.id} = ? AND {EventDelivery.state} = 'running' AND {EventDelivery.attempts} = ?`,
    );
    this.eventStatement = database.statement<StoredEvent>(
      `SELECT {DurableEvent.id} AS id, {DurableEvent.hook} AS hook, {DurableEvent.source} AS source, {DurableEvent.args} AS args,
        {DurableEvent.row} AS ${'`row`'}, {DurableEvent.createdAt} AS createdAt FROM {DurableEvent} WHERE {DurableEvent.id} = ?`,
    );
  }

  /**
   * Returns due deliveries to these listeners, oldest event first, then in the order of the event's listeners. A delivery is due if its
   * time has come, or its process crashed and the lease has expired. It is held back while an earlier event of the same subject is
   * unfinished with the same listener, or with any listener of the same owner to another hook, and, before its first attempt, while another
   * first attempt of the same event is running.
   */
  async due(keys: readonly string[], limit: number): Promise<DueDelivery[]> {
    const now = this.clock.now();
    const found: DueDelivery[] = [];
    for (const chunk of chunks(keys)) found.push(...(await this.dueStatement(chunk.length).all(now, ...chunk, now, limit)));
    return found.sort((a, b) => a.eventId - b.eventId || a.priority - b.priority || a.id - b.id).slice(0, limit);
  }

  /** Returns when the next delivery to these listeners becomes due, if that is before `until`. */
  async nextDue(keys: readonly string[], until: Date): Promise<Date | null> {
    const now = this.clock.now();
    let next: Date | null = null;
    for (const chunk of chunks(keys)) {
      const row = await this.nextStatement(chunk.length).get(...chunk, now, until);
      const dueAt = row ? fromSqlTime(row.dueAt) : null;
      if (dueAt && (!next || dueAt < next)) next = dueAt;
    }
    return next;
  }

  /** Claims the delivery for this process; null if another process was faster. */
  async claim(due: DueDelivery): Promise<ClaimedDelivery | null> {
    const attempt = due.attempts + 1;
    const { id, eventId, listenerKey, subject } = due;
    const { affected } = await this.claimStatement.run(
      attempt,
      this.leaseEnd(),
      this.processId,
      id,
      due.state,
      due.attempts,
      this.clock.now(),
    );
    return affected === 1 ? { id, eventId, listenerKey, subject, attempt } : null;
  }

  /** Extends the claim; false if this process no longer holds it. */
  async renew(claimed: ClaimedDelivery): Promise<boolean> {
    return (await this.renewStatement.run(this.leaseEnd(), claimed.id, this.processId, claimed.attempt)).affected === 1;
  }

  /** Marks the delivery as done; false if this process no longer holds the claim. */
  async finish(claimed: ClaimedDelivery): Promise<boolean> {
    const now = this.clock.now();
    return (await this.finishStatement.run(now, now, claimed.id, this.processId, claimed.attempt)).affected === 1;
  }

  /** Schedules a retry at `dueAt` after a failure; false if this process no longer holds the claim. */
  async postpone(claimed: ClaimedDelivery, dueAt: Date, error: string): Promise<boolean> {
    const text = error.slice(0, ERROR_LENGTH);
    return (await this.postponeStatement.run(dueAt, text, claimed.id, this.processId, claimed.attempt)).affected === 1;
  }

  /** Moves the delivery to the dead letters after its last attempt, number `attempt`. */
  async deadLetter(id: number, attempt: number, error: string): Promise<boolean> {
    const now = this.clock.now();
    return (await this.deadLetterStatement.run(now, now, error.slice(0, ERROR_LENGTH), id, attempt)).affected === 1;
  }

  /** Returns the event of a delivery. */
  async event(id: number): Promise<StoredEvent | undefined> {
    return this.eventStatement.get(id);
  }

  /**
   * Without the hint, MariaDB scans all waiting deliveries, including those for listeners of other processes (measured: 22 ms with 30,000
   * rows). For the same reason `active` is checked by a scalar subquery: an `EXISTS` becomes a join that reads all finished rows.
   */
  private get indexHint(): string {
    return this.database.engine === 'mysql' ? 'FORCE INDEX (IX_SVC_event_delivery_due)' : '';
  }

  private leaseEnd(): Date {
    return new Date(this.clock.now().getTime() + this.settings.lease);
  }

  private dueStatement(keys: number): Statement<DueDelivery> {
    let statement = this.dueStatements.get(keys);
    if (!statement) {
      statement = this.database.statement<DueDelivery>(
        `SELECT d.{EventDelivery.id} AS id, d.{EventDelivery.eventId} AS eventId, d.{EventDelivery.listenerKey} AS listenerKey,
          d.{EventDelivery.subject} AS subject, d.{EventDelivery.priority} AS priority, d.{EventDelivery.state} AS state,
          d.{EventDelivery.attempts} AS attempts
         FROM {EventDelivery} d ${this.indexHint}
         WHERE d.{EventDelivery.state} IN ('pending', 'running') AND d.{EventDelivery.dueAt} <= ?
          AND d.{EventDelivery.listenerKey} IN (${placeholders(keys)})
          AND (SELECT l.{EventListener.active} FROM {EventListener} l WHERE l.{EventListener.key} = d.{EventDelivery.listenerKey}) = 1
          AND NOT EXISTS (SELECT 1 FROM {EventDelivery} e
            WHERE e.{EventDelivery.owner} = d.{EventDelivery.owner} AND e.{EventDelivery.subject} = d.{EventDelivery.subject}
            AND e.{EventDelivery.state} IN ('pending', 'running') AND e.{EventDelivery.eventId} < d.{EventDelivery.eventId}
            AND (e.{EventDelivery.listenerKey} = d.{EventDelivery.listenerKey} OR e.{EventDelivery.hook} <> d.{EventDelivery.hook}))
          AND (d.{EventDelivery.attempts} > 0 OR NOT EXISTS (SELECT 1 FROM {EventDelivery} s
            WHERE s.{EventDelivery.eventId} = d.{EventDelivery.eventId} AND s.{EventDelivery.state} = 'running'
            AND s.{EventDelivery.attempts} = 1 AND s.{EventDelivery.dueAt} > ?))
         ORDER BY d.{EventDelivery.eventId}, d.{EventDelivery.priority}, d.{EventDelivery.id} LIMIT ?`,
      );
      this.dueStatements.set(keys, statement);
    }
    return statement;
  }

  private nextStatement(keys: number): Statement<{ dueAt: string }> {
    let statement = this.nextStatements.get(keys);
    if (!statement) {
      statement = this.database.statement<{ dueAt: string }>(
        `SELECT {EventDelivery.dueAt} AS dueAt FROM {EventDelivery}
         WHERE {EventDelivery.listenerKey} IN (${placeholders(keys)}) AND {EventDelivery.state} IN ('pending', 'running')
          AND {EventDelivery.dueAt} > ? AND {EventDelivery.dueAt} < ?
         ORDER BY {EventDelivery.dueAt} LIMIT 1`,
      );
      this.nextStatements.set(keys, statement);
    }
    return statement;
  }
}

const placeholders = (count: number): string => Array.from({ length: count }, () => '?').join(', ');

/** Splits keys into chunks, each padded to a power of two by repeating its last key, so that a few statements serve any number of keys. */
function* chunks(keys: readonly string[]): Generator<string[]> {
  for (let start = 0; start < keys.length; start += KEYS_PER_STATEMENT) {
    const chunk = keys.slice(start, start + KEYS_PER_STATEMENT);
    const size = Math.min(2 ** Math.ceil(Math.log2(chunk.length)), KEYS_PER_STATEMENT);
    while (chunk.length < size) chunk.push(chunk.at(-1)!);
    yield chunk;
  }
}
