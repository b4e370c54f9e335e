import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock, loggerFor, type Undo } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { DURABLE_HOOKS, type DurableHook, type HookListener } from '../../sdk/index.js';

import { EventError } from './errors.js';
import { LISTENER_MEMORY_DAYS } from './event.entities.js';

/** Why events without a listener were discarded: text keys with the placeholders `plugin` and `days`, stored in place of the error. */
export const WRITTEN_OFF = ['events.written_off_unheard', 'events.written_off_long_off'] as const;

/** Returns whether a dead letter's error is one of {@link WRITTEN_OFF}. */
export function isWrittenOff(error: string): boolean {
  return (WRITTEN_OFF as readonly string[]).includes(error);
}

/** Default priority of a listener. */
const DEFAULT_PRIORITY = 10;

const LISTENER_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$/;

/** A registration of a listener of a durable hook. */
export interface DurableRegistration<H extends DurableHook = DurableHook> {
  /** `core`, or the slug of the plugin. */
  readonly owner: string;
  readonly hook: H;
  /**
   * Identifies the listener across restarts and updates: at most 60 letters, digits, `_`, `.`, `-`. By default its position among its
   * owner's listeners of the hook, so an update that reorders them assigns waiting events to another listener.
   */
  readonly id?: string;
  /** Whole number, lower runs earlier; 10 by default. */
  readonly priority?: number;
  /** Deadline of an attempt in milliseconds; one minute by default. */
  readonly deadline?: number;
  readonly listener: HookListener<H>;
}

/** A registered listener with its key. */
export interface DurableListener {
  readonly key: string;
  readonly owner: string;
  readonly hook: DurableHook;
  readonly priority: number;
  readonly deadline: number | undefined;
  readonly call: (...args: unknown[]) => unknown;
}

interface Entry extends DurableListener {
  /** Position among its owner's listeners of the hook, starting at 1. */
  readonly position: number;
  /** Whether its row is written; until then its owner is still being activated and receives no events. */
  ready: boolean;
}

/** Returns the key of a listener, used in its row and in reports: owner, hook and its own id, such as `core:order.paid:credit`. */
export const keyOfListener = (owner: string, hook: DurableHook, id: string): string => `${owner}:${hook}:${id}`;

/** Extracts the listener's own id, or `#` and its position, from its key; see {@link keyOfListener}. */
export const idOfListener = (owner: string, hook: DurableHook, key: string): string => key.slice(keyOfListener(owner, hook, '').length);

/**
 * The listeners of durable hooks. Functions are in memory; one row per listener records across restarts that its owner wants these events,
 * so that an event recorded while the owner is down, fails to load, or is disabled waits for it.
 *
 * Registering and removing changes memory only; {@link sync} writes the current state. Life cycle of an owner: register… → `sync`
 * (activated) → undo… (process ends, or reload) → register… → `sync`; or `deactivate` (disabled on purpose) and later `sync` again, at most
 * {@link LISTENER_MEMORY_DAYS} days later; or `forget` (uninstalled). After removing a single listener of an active owner, call `sync`: its
 * waiting events become dead letters.
 */
@Injectable()
export class DurableListeners {
  private readonly entries = new Map<string, Entry>();
  private ready: () => void = () => undefined;
  private readonly update;
  private readonly insert;
  private readonly rowsOf;
  private readonly deactivateRow;
  private readonly deactivateOwner;
  private readonly forgetDeliveries;
  private readonly forgetRows;
  private readonly orphaned;
  private readonly longOff;
  private readonly deadLetter;
  private readonly forgetRow;
  private readonly log = loggerFor('events');

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.update = database.statement(
      `UPDATE {EventListener} SET {EventListener.priority} = ?, {EventListener.active} = 1, {EventListener.offSince} = NULL
       WHERE {EventListener.key} = ?`,
    );
    this.insert = database.statement(
      `${database.insertIgnore} {EventListener} ({EventListener.key}, {EventListener.owner}, {EventListener.hook},
        {EventListener.priority}, {EventListener.active}) VALUES (?, ?, ?, ?, 1)`,
    );
    this.rowsOf = database.statement<{ id: number; listenerKey: string }>(
      `SELECT {EventListener.id} AS id, {EventListener.key} AS listenerKey FROM {EventListener}
       WHERE {EventListener.owner} = ? AND ({EventListener.active} = 1 OR {EventListener.offSince} IS NOT NULL)`,
    );
    this.deactivateRow = database.statement(
      `UPDATE {EventListener} SET {EventListener.active} = 0, {EventListener.offSince} = NULL WHERE {EventListener.id} = ?`,
    );
    this.deactivateOwner = database.statement(
      `UPDATE {EventListener} SET {EventListener.active} = 0, {EventListener.offSince} = ?
       WHERE {EventListener.owner} = ? AND {EventListener.active} = 1`,
    );
    this.orphaned = database.statement<{ listenerKey: string }>(
      `SELECT {EventListener.key} AS listenerKey FROM {EventListener} WHERE {EventListener.active} = 0
        AND {EventListener.offSince} IS NULL`,
    );
    this.longOff = database.statement<{ id: number; listenerKey: string }>(
      `SELECT {EventListener.id} AS id, {EventListener.key} AS listenerKey FROM {EventListener}
       WHERE {EventListener.active} = 0 AND {EventListener.offSince} < ?`,
    );
    this.deadLetter = database.statement(
      `UPDATE {EventDelivery} SET {EventDelivery.state} = 'dead', {EventDelivery.dueAt} = ?, {EventDelivery.finishedAt} = ?,
        {EventDelivery.lastError} = ?, {EventDelivery.claimedBy} = NULL
       WHERE {EventDelivery.listenerKey} = ? AND ({EventDelivery.state} = 'pending'
        OR ({EventDelivery.state} = 'running' AND {EventDelivery.dueAt} <= ?))`,
    );
    this.forgetRow = database.statement(`DELETE FROM {EventListener} WHERE {EventListener.id} = ?`);
    this.forgetDeliveries = database.statement(
      `DELETE FROM {EventDelivery} WHERE {EventDelivery.state} IN ('pending', 'running', 'dead') AND {EventDelivery.listenerKey} IN
        (SELECT {EventListener.key} FROM {EventListener} WHERE {EventListener.owner} = ?)`,
    );
    this.forgetRows = database.statement(`DELETE FROM {EventListener} WHERE {EventListener.owner} = ?`);
  }

  /**
   * Registers a listener; it receives events once {@link sync} has written its row. An async listener may take a minute, or its deadline,
   * and must tolerate being run again: effects before a failure or a crash are not undone.
   *
   * @returns removes the listener from memory; its row and its waiting events stay
   * @throws EventError `HOOK_NOT_DURABLE`, `LISTENER_NOT_FUNCTION`, `PRIORITY_INVALID`, `LISTENER_ID_INVALID`, `LISTENER_ID_TAKEN`
   */
  register<H extends DurableHook>(registration: DurableRegistration<H>): Undo {
    const { owner, hook, id, priority = DEFAULT_PRIORITY, deadline, listener } = registration;
    if (!DURABLE_HOOKS.includes(hook)) throw new EventError('HOOK_NOT_DURABLE', { hook });
    if (typeof listener !== 'function') throw new EventError('LISTENER_NOT_FUNCTION', { hook });
    if (!Number.isInteger(priority) || Math.abs(priority) > 2_147_483_647) throw new EventError('PRIORITY_INVALID', { hook });
    if (id !== undefined && !LISTENER_ID.test(id)) throw new EventError('LISTENER_ID_INVALID', { hook, id: String(id).slice(0, 80) });
    const position = this.freePosition(owner, hook);
    const key = keyOfListener(owner, hook, id ?? `#${position}`);
    if (this.entries.has(key)) throw new EventError('LISTENER_ID_TAKEN', { hook, id: id ?? `#${position}` });
    const call = listener as DurableListener['call'];
    const entry: Entry = { key, owner, hook, priority, deadline, call, position, ready: false };
    this.entries.set(key, entry);
    return () => {
      if (this.entries.get(key) === entry) this.entries.delete(key);
    };
  }

  /**
   * Writes the rows of what `owner` has registered, and deactivates rows of listeners it no longer has: they receive no new events, and
   * their waiting events become dead letters with that reason. Called after a successful activation, before the owner counts as active.
   */
  async sync(owner: string): Promise<void> {
    const entries = [...this.entries.values()].filter((entry) => entry.owner === owner);
    const keys = new Set(entries.map((entry) => entry.key));
    await this.database.transaction(async () => {
      for (const { key, hook, priority } of entries) {
        const { affected } = await this.update.run(priority, key);
        if (affected === 0) await this.insert.run(key, owner, hook, priority);
      }
      for (const row of await this.rowsOf.all(owner)) {
        if (keys.has(row.listenerKey)) continue;
        await this.deactivateRow.run(row.id);
        await this.writeOff(row.listenerKey, 'events.written_off_unheard');
      }
    });
    for (const entry of entries) entry.ready = true;
    this.ready();
  }

  /** Deactivates an owner that was disabled on purpose: its waiting and future events are held until {@link sync} reactivates it. */
  async deactivate(owner: string): Promise<void> {
    await this.deactivateOwner.run(this.clock.now(), owner);
  }

  /**
   * Gives up events for listeners that running owners no longer have. An event may have been recorded while {@link sync} was writing the
   * listener off, and it would hold back later events of its subject.
   */
  async writeOffOrphaned(): Promise<void> {
    for (const { listenerKey } of await this.orphaned.all()) await this.writeOff(listenerKey, 'events.written_off_unheard');
  }

  /** Deletes listeners whose owners have been disabled for {@link LISTENER_MEMORY_DAYS}; events held for them become dead letters. */
  async forgetLongOff(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - LISTENER_MEMORY_DAYS * DAY_MS);
    for (const { id, listenerKey } of await this.longOff.all(before)) {
      await this.database.transaction(async () => {
        await this.forgetRow.run(id);
        await this.writeOff(listenerKey, 'events.written_off_long_off');
      });
    }
  }

  /** Deletes the rows of an uninstalled owner, with all its waiting and failed deliveries. */
  async forget(owner: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.forgetDeliveries.run(owner);
      await this.forgetRows.run(owner);
    });
  }

  /** Returns the listener with that key, if it is registered in this process and ready for events. */
  find(key: string): DurableListener | undefined {
    const entry = this.entries.get(key);
    return entry?.ready ? entry : undefined;
  }

  /** Keys of all ready listeners in this process. */
  keys(): string[] {
    return [...this.entries.values()].filter((entry) => entry.ready).map((entry) => entry.key);
  }

  /** Sets the callback for newly ready listeners; used by the dispatcher. */
  onReady(listener: () => void): void {
    this.ready = listener;
  }

  private async writeOff(listenerKey: string, reason: (typeof WRITTEN_OFF)[number]): Promise<void> {
    const now = this.clock.now();
    const { affected } = await this.deadLetter.run(now, now, reason, listenerKey, now);
    if (affected > 0) this.log.warn({ listener: listenerKey, events: affected, reason }, 'events without a listener were discarded');
  }

  private freePosition(owner: string, hook: DurableHook): number {
    const taken = new Set<number>();
    for (const entry of this.entries.values()) if (entry.owner === owner && entry.hook === hook) taken.add(entry.position);
    let position = 1;
    while (taken.has(position)) position += 1;
    return position;
  }
}
