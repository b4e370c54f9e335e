import { randomUUID } from 'node:crypto';

import type { Database } from '../../src/database/index.js';
import { JobRun } from '../../src/jobs/index.js';

/** Inserts the record of a completed run of a job. */
export async function jobRan(database: Database, job: string, at: Date): Promise<void> {
  const run = {
    job: `core:${job}`,
    dueAt: at,
    running: null,
    holder: randomUUID().slice(0, 20),
    leaseUntil: at,
    startedAt: at,
    endedAt: at,
  };
  await database.repository(JobRun).insert({ ...run, items: null, error: null });
}
