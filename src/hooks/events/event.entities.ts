import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, IntegerColumn, JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';
import type { DurableHook } from '../../sdk/index.js';

/** An event, written in the transaction of the change it describes. */
@Entity('SVC_event')
@Index('IX_SVC_event_subject', ['subject', 'id'])
@Index('IX_SVC_event_created', ['createdAt'])
export class DurableEvent {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) hook!: DurableHook;
  /** The subject, such as `order:12`: events of one subject keep their order. */
  @StringColumn(64) subject!: string;
  /** The actor that caused it. */
  @StringColumn(64) source!: string;
  /** Arguments for the listeners. */
  @JsonColumn() args!: unknown[];
  /** The complete row of the subject, without secrets. */
  @JsonColumn() row!: Record<string, unknown>;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

/** How long events are kept for a listener whose owner is disabled, in days. */
export const LISTENER_MEMORY_DAYS = 90;

/** A listener of a durable hook, known across restarts. */
@Entity('SVC_event_listener')
@Unique('UQ_SVC_event_listener_key', ['key'])
@Index('IX_SVC_event_listener_hook', ['hook', 'active'])
export class EventListener {
  @PrimaryGeneratedColumn() id!: number;
  /** Owner, hook and the listener's own id or position: `shop:order.paid:provision`, `shop:order.paid:#1`. */
  @StringColumn(190) key!: string;
  @StringColumn(64) owner!: string;
  @StringColumn(64) hook!: DurableHook;
  @IntegerColumn() priority!: number;
  /** Whether events are delivered to it: its owner is enabled and still has it. */
  @FlagColumn() active!: boolean;
  /**
   * Since when its owner is disabled: events are kept for it for {@link LISTENER_MEMORY_DAYS}. Null while it is active, and for a listener
   * that its running owner no longer has, which receives no events.
   */
  @TimeColumn({ name: 'off_since', nullable: true }) offSince!: Date | null;
}

/**
 * State of one event with one listener. `pending` waits for its time, `running` is claimed by a process, `done` is finished permanently.
 * `dead` failed too often, or has no listener any more; the administrator may send it again or set it to `discarded`.
 */
export type DeliveryState = 'pending' | 'running' | 'done' | 'dead' | 'discarded';

/** The delivery of one event to one listener. */
@Entity('SVC_event_delivery')
@Unique('UQ_SVC_event_delivery', ['eventId', 'listenerKey'])
@Index('IX_SVC_event_delivery_due', ['listenerKey', 'state', 'dueAt'])
@Index('IX_SVC_event_delivery_state', ['state', 'dueAt', 'id'])
@Index('IX_SVC_event_delivery_subject', ['owner', 'subject', 'state', 'eventId'])
export class EventDelivery {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'event_id' }) eventId!: number;
  @ManyToOne(() => DurableEvent, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'event_id', foreignKeyConstraintName: 'FK_SVC_event_delivery_event' })
  event?: DurableEvent;
  @StringColumn(190, { name: 'listener_key' }) listenerKey!: string;
  /** Owner of the listener: its events of one subject keep their order across hooks. */
  @StringColumn(64, { default: '' }) owner!: string;
  @StringColumn(64, { default: '' }) hook!: DurableHook;
  @StringColumn(64) subject!: string;
  @IntegerColumn() priority!: number;
  @StringColumn(20) state!: DeliveryState;
  /** Number of attempts started. */
  @IntegerColumn({ default: 0 }) attempts!: number;
  /** Pending: earliest start. Running: end of the lease. Finished or dead: when that state was reached. */
  @TimeColumn({ name: 'due_at' }) dueAt!: Date;
  /** The process that runs it now. */
  @StringColumn(64, { name: 'claimed_by', nullable: true }) claimedBy!: string | null;
  @TextColumn({ name: 'last_error', nullable: true }) lastError!: string | null;
  @TimeColumn({ name: 'finished_at', nullable: true }) finishedAt!: Date | null;
}
