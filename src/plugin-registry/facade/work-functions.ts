import { Injectable } from '@nestjs/common';

import { MINUTE_MS, PluginCalls, type RegistrationScope } from '../../common/index.js';
import { BackgroundQueue, CronExpression, JobRegistry, TaskRegistry, taskOfPlugin, type TaskView } from '../../jobs/index.js';
import type { JobState, JobsService, WorkFacade } from '../../sdk/index.js';

import type { PluginPackage } from '../package/manifest.js';

import { MailFunctionsFactory } from './mail-functions.js';
import { ServiceRegistry } from './service-registry.js';

/** Facade functions for background work of the plugin, and for services of other plugins. */
export type WorkFunctions = WorkFacade;

const NAME = /^[a-z0-9_-]{1,30}$/;
/** Maximum concurrency of a job. */
const MAX_CONCURRENCY = 20;
/** Default timeouts of jobs and cron runs, and maximum timeout of cron runs, in minutes. */
const JOB_MINUTES = 5;
const CRON_MINUTES = 10;
const MAX_CRON_MINUTES = 720;
/** Grace period after the request to stop, in milliseconds: then the run counts as failed, even if it is still running. */
const LAST_WORDS = 5_000;

/** Binds jobs, schedules, mails and shared services to one plugin. */
@Injectable()
export class WorkFunctionsFactory {
  constructor(
    private readonly calls: PluginCalls,
    private readonly clock: JobRegistry,
    private readonly handlers: TaskRegistry,
    private readonly queue: BackgroundQueue,
    private readonly mails: MailFunctionsFactory,
    private readonly services: ServiceRegistry,
  ) {}

  functionsFor(plugin: PluginPackage, registrations: RegistrationScope): WorkFunctions {
    const { slug } = plugin;
    const gone = new AbortController();
    registrations.add(() => gone.abort(new Error(`The plugin "${slug}" is disabled.`)));
    const names = new Set<string>();
    return {
      jobs: this.jobsOf(slug, names),
      mail: this.mails.serviceFor(plugin),
      svc_register_job: (name, { run, attempts, backoffSeconds, timeoutMinutes = JOB_MINUTES, concurrency = 1 }) => {
        requireName(slug, 'job', name, run);
        if (!(concurrency <= MAX_CONCURRENCY))
          throw new Error(`${slug}: the job "${name}" needs a concurrency of 1 to ${MAX_CONCURRENCY}.`);
        const deadline = timeoutMinutes * MINUTE_MS + LAST_WORDS;
        const guarded = this.calls.guard(slug, `job ${name}`, { kind: 'work', deadline }, run as (...args: unknown[]) => unknown);
        const undo = this.handlers.add({
          ...{ name: taskOfPlugin(slug, name), attempts, backoffSeconds, timeoutMinutes, concurrency },
          run: (payload, turn) =>
            guarded(payload, {
              id: turn.id,
              attempt: turn.attempt,
              signal: AbortSignal.any([turn.signal, gone.signal]),
              progress: (done: number, total: number, note?: string) => turn.progress(done, total, note),
            }),
        });
        names.add(name);
        return registrations.add(() => {
          names.delete(name);
          undo();
        });
      },
      svc_register_cron: (name, expression, callback, { timeoutMinutes = CRON_MINUTES } = {}) => {
        requireName(slug, 'cron', name, callback);
        if (!(timeoutMinutes <= MAX_CRON_MINUTES))
          throw new Error(`${slug}: the cron "${name}" needs a timeout of 1 to ${MAX_CRON_MINUTES} minutes.`);
        const deadline = timeoutMinutes * MINUTE_MS + LAST_WORDS;
        const guarded = this.calls.guard(slug, `cron ${name}`, { kind: 'cron', deadline }, callback);
        const run = ({ signal }: { signal: AbortSignal }): unknown => guarded({ signal: AbortSignal.any([signal, gone.signal]) });
        return registrations.add(this.clock.add({ owner: slug, name, cron: new CronExpression(String(expression)), timeoutMinutes, run }));
      },
      svc_plugin_enabled: (target) => this.services.isRunning(target),
      provide: (name, service) => registrations.add(this.services.add(plugin, name, service)),
      use: (name) => this.services.proxyOf(slug, name, registrations) as never,
    };
  }

  /** @param names of the registered jobs */
  private jobsOf(slug: string, names: ReadonlySet<string>): JobsService {
    const prefix = taskOfPlugin(slug, '');
    const own = async (id: string): Promise<TaskView | null> => {
      const task = await this.queue.find(String(id));
      return task?.name.startsWith(prefix) ? task : null;
    };
    return {
      add: async (name, payload, { key, runAt } = {}) => {
        if (!names.has(name)) throw new Error(`${slug}: the job "${String(name)}" is not registered. Call svc_register_job first.`);
        return this.queue.add(taskOfPlugin(slug, name), payload, { key, runAt, by: slug });
      },
      find: async (id) => {
        const task = await own(id);
        return task && stateOf(task, prefix);
      },
      cancel: async (id) => (await own(id)) !== null && (await this.queue.cancel(String(id))),
    };
  }
}

function stateOf({ id, name, state, attempts, progress, error, result }: TaskView, prefix: string): JobState {
  return { id, name: name.slice(prefix.length), state, attempts, progress, error, result };
}

function requireName(slug: string, what: string, name: unknown, callback: unknown): void {
  if (typeof name !== 'string' || !NAME.test(name))
    throw new Error(`${slug}: a ${what} needs a name of a-z, 0-9, "_" and "-", at most 30 characters, not ${JSON.stringify(name)}.`);
  if (typeof callback !== 'function') throw new Error(`${slug}: the ${what} "${name}" needs a function.`);
}
