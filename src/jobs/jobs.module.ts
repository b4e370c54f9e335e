import { type DynamicModule, Global, Module, type ModuleMetadata, type FactoryProvider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';

import { CronClaims } from './cron-claims.js';
import { CRON_HOOK_RUNNER, CronScheduler, type CronHookRunner } from './cron-scheduler.js';
import { JobDiscovery } from './job-discovery.js';
import { JobRegistry } from './job-registry.js';

/** Where the hook `cron` comes from: this floor does not know the hooks. */
export interface JobsModuleOptions extends Pick<ModuleMetadata, 'imports'> {
  readonly inject?: FactoryProvider['inject'];
  readonly cronHook: (...dependencies: never[]) => CronHookRunner;
}

/** Gives every module the {@link JobRegistry}, and runs the tick. */
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
        JobRegistry,
        JobDiscovery,
        CronClaims,
        CronScheduler,
        {
          provide: CRON_HOOK_RUNNER,
          inject: options.inject ?? [],
          useFactory: options.cronHook as (...dependencies: unknown[]) => CronHookRunner,
        },
      ],
      exports: [JobRegistry, CronScheduler],
    };
  }
}
