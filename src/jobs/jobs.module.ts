import { type DynamicModule, Global, Module, type ModuleMetadata, type FactoryProvider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';

import { Clock } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database } from '../database/index.js';

import { BackgroundQueue, DatabaseQueue, RedisQueue, TaskDiscovery, TaskRecords, TaskRegistry, TaskWorker } from './background/index.js';
import { ClockWatch } from './clock-watch.js';
import { CRON_HOOK_RUNNER, CronScheduler, type CronHookRunner } from './cron-scheduler.js';
import { JobDiscovery } from './job-discovery.js';
import { JobRegistry } from './job-registry.js';
import { JobRunner } from './job-runner.js';
import { JobRuns } from './job-runs.js';
import { Quiet } from './quiet.js';

/** Provides the hook `cron`, since this module must not depend on the hooks. */
export interface JobsModuleOptions extends Pick<ModuleMetadata, 'imports'> {
  readonly inject?: FactoryProvider['inject'];
  readonly cronHook: (...dependencies: never[]) => CronHookRunner;
}

/** The queue in Redis if configured, else in the database. */
function queueOf(
  config: AppConfig,
  database: Database,
  clock: Clock,
  records: TaskRecords,
  handlers: TaskRegistry,
  inDatabase: DatabaseQueue,
): BackgroundQueue {
  return config.redisUrl ? new RedisQueue(config, database, clock, records, handlers) : inDatabase;
}

/** Provides the {@link JobRegistry} and the {@link BackgroundQueue} globally, and runs the scheduler. */
@Global()
@Module({})
export class JobsModule {
  /**
   * @example
   * ```ts
   * JobsModule.forRoot({ inject: [HookRegistry], cronHook: (hooks: HookRegistry) => () => hooks.doAction('cron') })
   * ```
   */
  static forRoot(options: JobsModuleOptions): DynamicModule {
    return {
      module: JobsModule,
      imports: [DiscoveryModule, ScheduleModule.forRoot(), ...(options.imports ?? [])],
      providers: [
        Quiet,
        JobRegistry,
        JobDiscovery,
        JobRuns,
        ClockWatch,
        JobRunner,
        CronScheduler,
        TaskRegistry,
        TaskDiscovery,
        TaskRecords,
        TaskWorker,
        DatabaseQueue,
        {
          provide: BackgroundQueue,
          inject: [AppConfig, Database, Clock, TaskRecords, TaskRegistry, DatabaseQueue],
          useFactory: queueOf,
        },
        {
          provide: CRON_HOOK_RUNNER,
          inject: options.inject ?? [],
          useFactory: options.cronHook as (...dependencies: unknown[]) => CronHookRunner,
        },
      ],
      exports: [Quiet, JobRegistry, JobRunner, JobRuns, ClockWatch, CronScheduler, TaskRegistry, BackgroundQueue],
    };
  }
}
