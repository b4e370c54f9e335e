export { CronClaims } from './cron-claims.js';
export { CRON_HOOK_RUNNER, CronScheduler, type CronHookRunner } from './cron-scheduler.js';
export { Job, type JobDeclaration } from './job.js';
export { JobRegistry, type JobReport } from './job-registry.js';
export { JobsModule, type JobsModuleOptions } from './jobs.module.js';
export type { DailyJob, RepeatedJob, ScheduledJob } from './scheduled-job.js';
