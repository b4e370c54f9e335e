import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock, loggerFor } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job, JobRuns } from '../../jobs/index.js';
import { QuarantinedFile } from '../entities/index.js';

import { QuarantineEnds } from './quarantine-ends.js';
import { FileQuarantine } from './file-quarantine.js';

const log = loggerFor('scans');
const JOB = 'quarantine';
const BATCH = 100;

/** Processes quarantined files that need no report or administrator. */
@Injectable()
export class QuarantineSweep {
  private readonly underWay;
  private readonly due;

  constructor(
    private readonly database: Database,
    private readonly quarantine: FileQuarantine,
    private readonly ends: QuarantineEnds,
    private readonly clock: Clock,
    private readonly runs: JobRuns,
  ) {
    this.underWay = database.statement<{ taskId: string }>(
      `SELECT q.{QuarantinedFile.taskId} AS taskId FROM {QuarantinedFile} q
       LEFT JOIN {NodeTask} t ON t.{NodeTask.taskId} = q.{QuarantinedFile.taskId}
       WHERE q.{QuarantinedFile.state} IN ('moving', 'restoring', 'deleting')
         AND (t.{NodeTask.id} IS NULL OR t.{NodeTask.status} IN ('success', 'failed')) ORDER BY q.{QuarantinedFile.id} LIMIT ${BATCH}`,
    );
    this.due = database.statement<{ id: number }>(
      `SELECT {QuarantinedFile.id} AS id FROM {QuarantinedFile} WHERE {QuarantinedFile.purgeAt} <= ? AND {QuarantinedFile.state} = 'held'
       ORDER BY {QuarantinedFile.purgeAt}, {QuarantinedFile.id} LIMIT ${BATCH}`,
    );
  }

  /** Handles ended tasks that were not reported and deletes files whose retention time is over. @returns number of processed files */
  @Job({ name: JOB, everyMinutes: 5 })
  async sweep(): Promise<number> {
    const ended = await this.underWay.all();
    for (const { taskId } of ended) await this.ends.applyTaskEnd(taskId);
    // Guards against a wrong system clock, which must not delete files early.
    const witnessed = await this.runs.witnessed(`core:${JOB}`, this.clock.now());
    const due = witnessed ? await this.due.all(witnessed) : [];
    let removed = 0;
    for (const { id } of due) {
      try {
        await this.quarantine.removeOverdue(id);
        removed += 1;
      } catch (error) {
        // If the agent cannot do it now, it is retried the next day.
        await this.database
          .repository(QuarantinedFile)
          .update({ id, state: 'held' }, { purgeAt: new Date(this.clock.now().getTime() + DAY_MS) });
        log.warn({ err: error, quarantined: id }, 'a file in quarantine could not be deleted yet');
      }
    }
    return ended.length + removed;
  }
}
