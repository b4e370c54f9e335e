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

/** Sees to files in quarantine that no report and no administrator does. */
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

  /** Follows tasks whose agents did not report, and deletes what was held long enough. @returns how many files were dealt with */
  @Job({ name: JOB, everyMinutes: 5 })
  async sweep(): Promise<number> {
    const ended = await this.underWay.all();
    for (const { taskId } of ended) await this.ends.follow(taskId);
    // By a clock that is wrong no file is deleted before somebody could see it.
    const witnessed = await this.runs.witnessed(`core:${JOB}`, this.clock.now());
    const due = witnessed ? await this.due.all(witnessed) : [];
    let removed = 0;
    for (const { id } of due) {
      try {
        await this.quarantine.removeOverdue(id);
        removed += 1;
      } catch (error) {
        // An agent that cannot at the moment is asked again tomorrow.
        await this.database
          .repository(QuarantinedFile)
          .update({ id, state: 'held' }, { purgeAt: new Date(this.clock.now().getTime() + DAY_MS) });
        log.warn({ err: error, quarantined: id }, 'a file in quarantine could not be deleted yet');
      }
    }
    return ended.length + removed;
  }
}
