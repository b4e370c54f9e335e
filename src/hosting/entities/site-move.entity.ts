import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** The switch is made: what rows and the API call `settling`. */
export const SWITCHING = 'settling';

/**
 * How far a move is.
 * - `copying`: the site is made on the other server and copied there, while it runs on its own as before
 * - `closing`: it stands still and is copied once more
 * - {@link SWITCHING}: it is the other server's now, which is told all of it
 * - `kept`: done; the old site is kept for a while
 * - `returning`: it stands still on the new server, and the old site becomes the account's again
 * - `clearing`: the old site is being removed; `done`: it is gone
 * - `undoing`: what was begun on the other server is being removed; `failed`: it came to nothing
 */
export type SiteMoveState = 'copying' | 'closing' | typeof SWITCHING | 'kept' | 'returning' | 'clearing' | 'done' | 'undoing' | 'failed';

/** The site of an account on its way to another server. The row is there before anything is done, and goes with nothing. */
@Entity('SVC_site_move')
@Unique('UQ_SVC_site_move_busy', ['busy'])
@Index('IX_SVC_site_move_host', ['hostId', 'id'])
@Index('IX_SVC_site_move_state', ['state', 'id'])
@Index('IX_SVC_site_move_from', ['fromCode', 'id'])
@Index('IX_SVC_site_move_to', ['toCode', 'id'])
@Index('IX_SVC_site_move_emptying', ['emptyingId', 'id'])
export class SiteMove {
  @PrimaryGeneratedColumn() id!: number;
  /** Id of the account, which may be gone by now. */
  @IntegerColumn({ name: 'host_id' }) hostId!: number;
  /** Login of the account. */
  @StringColumn(64, { name: 'user' }) username!: string;
  /** Name of the site, the same on both servers. */
  @StringColumn(128, { name: 'sqldz' }) siteName!: string;
  /** Code of the server the site is moved away from; the other way round once it was taken back. */
  @StringColumn(64, { name: 'from_bt' }) fromCode!: string;
  /** Id of the site there. */
  @StringColumn(64, { name: 'from_id' }) fromId!: string;
  @StringColumn(64, { name: 'to_bt' }) toCode!: string;
  /** Id of the site there; empty until it is made. */
  @StringColumn(64, { name: 'to_id', default: '' }) toId!: string;
  @StringColumn(10) state!: SiteMoveState;
  /** Id of the account while it is under way, null otherwise: a site is on its way to one server at a time. */
  @IntegerColumn({ nullable: true }) busy!: number | null;
  /** The background task that works on it. */
  @StringColumn(64, { name: 'task_id', nullable: true }) taskId!: string | null;
  /** The emptying of a server it belongs to; null: somebody wanted this very one. */
  @IntegerColumn({ name: 'emptying_id', nullable: true }) emptyingId!: number | null;
  /** Who wanted it: the name of an administrator. */
  @StringColumn(100, { name: 'made_by' }) by!: string;
  @TimeColumn({ name: 'begun_at' }) begunAt!: Date;
  /** When the site became the other server's. */
  @TimeColumn({ name: 'switched_at', nullable: true }) switchedAt!: Date | null;
  /** Until when the old site is kept. */
  @TimeColumn({ name: 'keep_until', nullable: true }) keepUntil!: Date | null;
  /** Until when whoever removes the old site is at it. */
  @TimeColumn({ name: 'claimed_until', nullable: true }) claimedUntil!: Date | null;
  /** When it was taken back last; null: never. */
  @TimeColumn({ name: 'returned_at', nullable: true }) returnedAt!: Date | null;
  /** What of the site stands in no row of the panel, as JSON: its `Belongings`, as they were before it stood still. */
  @TextColumn({ nullable: true }) belongings!: string | null;
  /** SHA-256 of the archive that is on the other server. */
  @StringColumn(64, { default: '' }) sha256!: string;
  /** What the files were before that archive was made, as `BackupsPort.mark` says; empty where nobody knows. */
  @StringColumn(64, { default: '' }) mark!: string;
  /** Links and other special files that did not go along. */
  @IntegerColumn({ name: 'left_out', default: 0 }) left!: number;
  /** Why it came to nothing, or does not go on, as `packWords` writes it. */
  @StringColumn(500, { nullable: true }) error!: string | null;
}
