import { Injectable } from '@nestjs/common';

import { HOUR_MS, Clock } from '../common/index.js';
import { Database } from '../database/index.js';

import { ClockMark } from './clock-watch.entity.js';
import { Job } from './job.js';

/** Maximum distance between the clock and the last check before it counts as a jump, in milliseconds: an hour. */
const JUMP_MS = HOUR_MS;
/** Tolerance for drift of clocks, in milliseconds. */
const SLACK_MS = 300_000;
/** Id of the single row. */
const ROW = 1;

/** An unconfirmed jump of the clock. */
export interface ClockJump {
  readonly from: Date;
  readonly to: Date;
}

/**
 * Decides whether the clock is reliable enough for destructive work. The time is stored each minute; a difference of more than an hour from
 * the stored time, in either direction, means that the clock jumped or that nothing ran meanwhile. The machine's uptime tells the two
 * apart, unless the machine was restarted; in that case nothing is destroyed based on the time until an administrator confirms the clock.
 */
@Injectable()
export class ClockWatch {
  private readonly see;
  private readonly wake;
  private readonly jump;
  private readonly first;
  private readonly accept;
  private readonly row;

  constructor(
    database: Database,
    private readonly clock: Clock,
  ) {
    const entities = database.entityRows(ClockMark);
    this.see = database.statement(
      `UPDATE {ClockMark} SET {ClockMark.seenAt} = ?, {ClockMark.bootedAt} = ? WHERE {ClockMark.id} = ${ROW} AND {ClockMark.seenAt} >= ?
        AND {ClockMark.seenAt} <= ?`,
    );
    this.wake = database.statement(
      `UPDATE {ClockMark} SET {ClockMark.seenAt} = ?, {ClockMark.bootedAt} = ? WHERE {ClockMark.id} = ${ROW} AND {ClockMark.seenAt} < ?
       AND {ClockMark.bootedAt} >= ? AND {ClockMark.bootedAt} <= ?`,
    );
    this.jump = database.statement(
      `UPDATE {ClockMark} SET {ClockMark.jumpedFrom} = COALESCE({ClockMark.jumpedFrom}, {ClockMark.seenAt}), {ClockMark.jumpedTo} = ?,
       {ClockMark.seenAt} = ?, {ClockMark.bootedAt} = ? WHERE {ClockMark.id} = ${ROW}
       AND ({ClockMark.seenAt} < ? OR {ClockMark.seenAt} > ?)`,
    );
    this.first = database.statement(`${database.insertIgnore} {ClockMark} ({ClockMark.id}, {ClockMark.seenAt}) VALUES (${ROW}, ?)`);
    this.accept = database.statement(
      `UPDATE {ClockMark} SET {ClockMark.jumpedFrom} = NULL, {ClockMark.jumpedTo} = NULL, {ClockMark.confirmedBy} = ?
       WHERE {ClockMark.id} = ${ROW} AND {ClockMark.jumpedTo} = ?`,
    );
    const one = database.statement(`SELECT ${entities.columns} FROM {ClockMark} WHERE {ClockMark.id} = ${ROW}`);
    this.row = async (): Promise<ClockMark | null> => {
      const found = await one.get();
      return found ? entities.read(found) : null;
    };
  }

  /** Stores the current time. @returns 1 for an unconfirmed jump, else 0 */
  @Job({ name: 'clock-watch', everyMinutes: 1 })
  async run(): Promise<number> {
    await this.first.run(this.clock.now());
    return (await this.check()) ? 1 : 0;
  }

  /** Checks the clock now and returns an unconfirmed jump; null if the clock is reliable. */
  async check(): Promise<ClockJump | null> {
    const now = this.clock.now();
    const [earliest, latest] = [new Date(now.getTime() - JUMP_MS), new Date(now.getTime() + JUMP_MS)];
    const booted = new Date(now.getTime() - this.clock.sinceBoot());
    if ((await this.see.run(now, booted, earliest, latest)).affected === 0 && !(await this.wasOff(now, booted)))
      await this.jump.run(now, now, booted, earliest, latest);
    const mark = await this.row();
    return mark?.jumpedFrom && mark.jumpedTo ? { from: mark.jumpedFrom, to: mark.jumpedTo } : null;
  }

  /** Whether nothing ran meanwhile on a machine that stayed up: its boot time is the same by the clock now and before. */
  private async wasOff(now: Date, booted: Date): Promise<boolean> {
    const around = [-SLACK_MS, SLACK_MS].map((slack) => new Date(booted.getTime() + slack)) as [Date, Date];
    return (await this.wake.run(now, booted, now, ...around)).affected > 0;
  }

  /**
   * Confirms that the current time is right.
   *
   * @param jump as seen by the administrator: a later jump needs its own confirmation
   * @param by name of the administrator
   * @returns false if this jump no longer exists
   */
  async confirm({ to }: ClockJump, by: string): Promise<boolean> {
    return (await this.accept.run(by.slice(0, 100), to)).affected > 0;
  }
}
