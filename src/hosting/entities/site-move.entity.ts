import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** The switch is done; `settling` in rows and in the API. */
export const SWITCHING = 'settling';

/**
 * State of a move.
 * - `copying`: the site is created and copied on the other server, while it keeps running on its own
 * - `closing`: the site is stopped and copied again
 * - {@link SWITCHING}: the site belongs to the other server, which receives all its settings
 * - `kept`: done; the old site is kept for a while
 * - `returning`: the site is stopped on the new server, and the account goes back to the old site
 * - `clearing`: the old site is being removed; `done`: it is removed
 * - `undoing`: the partial copy on the other server is being removed; `failed`: the move failed
 */
export type SiteMoveState = 'copying' | 'closing' | typeof SWITCHING | 'kept' | 'returning' | 'clearing' | 'done' | 'undoing' | 'failed';

/** The move of an account's site to another server. The row is created before anything else happens, and is never deleted. */
@Entity('SVC_site_move')
@Unique('UQ_SVC_site_move_busy', ['busy'])
@Index('IX_SVC_site_move_host', ['hostId', 'id'])
@Index('IX_SVC_site_move_state', ['state', 'id'])
@Index('IX_SVC_site_move_from', ['fromCode', 'id'])
@Index('IX_SVC_site_move_to', ['toCode', 'id'])
@Index('IX_SVC_site_move_emptying', ['emptyingId', 'id'])
export class SiteMove {
  @PrimaryGeneratedColumn() id!: number;
  /** Id of the account, which may have been deleted since. */
  @IntegerColumn({ name: 'host_id' }) hostId!: number;
  /** Login of the account. */
  @StringColumn(64, { name: 'user' }) username!: string;
  /** Name of the site, the same on both servers. */
  @StringColumn(128, { name: 'sqldz' }) siteName!: string;
  /** Code of the server the site is moved away from; swapped after a return. */
  @StringColumn(64, { name: 'from_bt' }) fromCode!: string;
  /** Id of the site there. */
  @StringColumn(64, { name: 'from_id' }) fromId!: string;
  @StringColumn(64, { name: 'to_bt' }) toCode!: string;
  /** Id of the site there; empty until it is created. */
  @StringColumn(64, { name: 'to_id', default: '' }) toId!: string;
  @StringColumn(10) state!: SiteMoveState;
  /** Id of the account while the move runs, otherwise null: allows one move per site at a time. */
  @IntegerColumn({ nullable: true }) busy!: number | null;
  /** The background task that works on it. */
  @StringColumn(64, { name: 'task_id', nullable: true }) taskId!: string | null;
  /** The emptying it belongs to; null: requested individually. */
  @IntegerColumn({ name: 'emptying_id', nullable: true }) emptyingId!: number | null;
  /** Name of the administrator who requested it. */
  @StringColumn(100, { name: 'made_by' }) by!: string;
  @TimeColumn({ name: 'begun_at' }) begunAt!: Date;
  /** When the site was switched to the other server. */
  @TimeColumn({ name: 'switched_at', nullable: true }) switchedAt!: Date | null;
  /** Until when the old site is kept. */
  @TimeColumn({ name: 'keep_until', nullable: true }) keepUntil!: Date | null;
  /** Lease of the process that is removing the old site. */
  @TimeColumn({ name: 'claimed_until', nullable: true }) claimedUntil!: Date | null;
  /** When it was last returned; null: never. */
  @TimeColumn({ name: 'returned_at', nullable: true }) returnedAt!: Date | null;
  /** Data of the site that is not in the panel's rows, as JSON: its `Belongings` before it was stopped. */
  @TextColumn({ nullable: true }) belongings!: string | null;
  /** SHA-256 of the archive on the other server. */
  @StringColumn(64, { default: '' }) sha256!: string;
  /** Fingerprint of the files before that archive was made, see `BackupsPort.mark`; empty: unknown. */
  @StringColumn(64, { default: '' }) mark!: string;
  /** Symbolic links and other special files that were not copied. */
  @IntegerColumn({ name: 'left_out', default: 0 }) left!: number;
  /** Why it failed, or cannot continue, in the format of `packWords`. */
  @StringColumn(500, { nullable: true }) error!: string | null;
}
