import type { JobRegistry } from '../../src/jobs/index.js';

/** Runs a job of the panel now, regardless of its schedule. */
export async function runJob(jobs: JobRegistry, name: string): Promise<void> {
  const job = jobs.find(`core:${name}`);
  if (!job) throw new Error(`There is no job ${name}.`);
  await job.run({ signal: new AbortController().signal });
}
