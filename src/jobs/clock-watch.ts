import { Injectable } from '@nestjs/common';

import { HOUR_MS, Clock } from '../common/index.js';
import { Database } from '../database/index.js';

import { ClockMark } from './clock-watch.entity.js';
import { Job } from './job.js';

/** How far the clock may be from when somebody looked last, in milliseconds: an hour. */
const JUMP_MS = HOUR_MS;
/** How far clocks drift that are not set, in milliseconds. */
const SLACK_MS = 300_000;
/** Id of the one row. */
const ROW = 1;

/** A jump of the clock that nobody has confirmed. */
export interface ClockJump {
  readonly from: Date;
  readonly to: Date;
}

/**
 * Whether the clock can be trusted by what destroys something. The time is written down each minute; where it is more than an hour away
 * from what was written last, in either direction, the clock jumped, or nothing ran meanwhile. Where the machine ran all the time, its
 * own count of that tells which; where it was started anew nobody can tell, so nothing is destroyed for the time it is until an
 * administrator says that it is right.
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

  /** Writes down what time it is. @returns how many jumps nobody has confirmed */
  @Job({ name: 'clock-watch', everyMinutes: 1 })
  async run(): Promise<number> {
    await this.first.run(this.clock.now());
    return (await this.look()) ? 1 : 0;
  }

  /** Looks at the clock now, and says whether it jumped without anybody saying that it is right; null: it can be trusted. */
  async look(): Promise<ClockJump | null> {
    const now = this.clock.now();
    const [earliest, latest] = [new Date(now.getTime() - JUMP_MS), new Date(now.getTime() + JUMP_MS)];
    const booted = new Date(now.getTime() - this.clock.sinceBoot());
    if ((await this.see.run(now, booted, earliest, latest)).affected === 0 && !(await this.wasOff(now, booted)))
      await this.jump.run(now, now, booted, earliest, latest);
    const mark = await this.row();
    return mark?.jumpedFrom && mark.jumpedTo ? { from: mark.jumpedFrom, to: mark.jumpedTo } : null;
  }

  /** Whether nothing ran meanwhile, on a machine that did: it began to run at the same time by the clock as by the clock before. */
  private async wasOff(now: Date, booted: Date): Promise<boolean> {
    const around = [-SLACK_MS, SLACK_MS].map((slack) => new Date(booted.getTime() + slack)) as [Date, Date];
    return (await this.wake.run(now, booted, now, ...around)).affected > 0;
  }

  /**
   * Takes the time it is for right.
   *
   * @param jump as its reader saw it: one that came meanwhile is left for another yes
   * @param by name of the administrator
   * @returns false where there is no such jump any more
   */
  async confirm({ to }: ClockJump, by: string): Promise<boolean> {
    return (await this.accept.run(by.slice(0, 100), to)).affected > 0;
  }
}
