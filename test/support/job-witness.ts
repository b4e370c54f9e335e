import { randomUUID } from 'node:crypto';

import type { Database } from '../../src/database/index.js';
import { JobRun } from '../../src/jobs/index.js';

/** Writes down a run of a job that was at a time, as the panel does when it runs one. */
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
