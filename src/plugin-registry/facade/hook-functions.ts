import { Injectable } from '@nestjs/common';

import { executionContext, loggerFor, type RegistrationScope } from '../../common/index.js';
import { DurableListeners, HookRegistry } from '../../hooks/index.js';
import { DURABLE_HOOKS, type DurableHook, type EventInfo, type SvcFacade } from '../../sdk/index.js';

import { PluginNotices } from '../plugin-notices.js';

import { requireOptions } from './checked-arguments.js';
import { checkHookName } from './hook-names.js';

/** Facade functions for hooks. */
export type HookFunctions = Pick<SvcFacade, 'svc_add_action' | 'svc_do_action' | 'svc_add_filter' | 'svc_apply_filters' | 'event'>;

const log = loggerFor('plugins');

/** Range of `deadlineSeconds`. */
const MIN_DEADLINE = 60;
const MAX_DEADLINE = 3_600;

const durable: ReadonlySet<string> = new Set(DURABLE_HOOKS);

/** Binds the hook registry and the durable listeners to one plugin. */
@Injectable()
export class HookFunctionsFactory {
  constructor(
    private readonly hooks: HookRegistry,
    private readonly listeners: DurableListeners,
    private readonly notices: PluginNotices,
  ) {}

  functionsFor(slug: string, registrations: RegistrationScope): HookFunctions {
    return {
      svc_add_action: (hook, callback, priority = 10, options = {}) => {
        checkHookName(slug, hook, this.notices);
        requireOptions(slug, `listener of ${hook}`, options, ['id', 'deadlineSeconds']);
        const deadline = deadlineOf(slug, hook, options.deadlineSeconds);
        if (!durable.has(hook)) return registrations.add(this.hooks.addAction(hook, callback, { owner: slug, priority, deadline }));
        const undo = this.listeners.register({
          owner: slug,
          hook: hook as DurableHook,
          id: options.id,
          priority,
          deadline,
          listener: callback as (...args: unknown[]) => unknown,
        });
        return registrations.add(() => {
          undo();
          // A running plugin removed this listener: it gets no new events. When the plugin stops, its pending rows stay.
          if (!registrations.isDisposed)
            void this.listeners
              .sync(slug)
              .catch((error: unknown) => log.error({ err: error, plugin: slug }, 'a removed listener could not be unregistered'));
        });
      },
      svc_do_action: async (hook, ...args) => {
        if (durable.has(hook)) throw new Error(`${slug}: "${hook}" is fired only by the panel, not by plugins.`);
        await this.hooks.doAction(hook, ...args);
      },
      svc_add_filter: (hook, callback, priority = 10) => {
        checkHookName(slug, hook, this.notices);
        if (durable.has(hook)) throw new Error(`${slug}: "${hook}" has no value to filter; use svc_add_action.`);
        return registrations.add(
          this.hooks.addFilter(hook, callback as (value: unknown, ...args: unknown[]) => unknown, { owner: slug, priority }),
        );
      },
      svc_apply_filters: async (hook, value, ...args) => this.hooks.applyFilters(hook, value, ...args),
      event: (): EventInfo | null => executionContext.getStore()?.event ?? null,
    };
  }
}

/**
 * Returns the deadline of a listener in milliseconds, if it declares one.
 *
 * @throws Error for a number out of range, or for a hook whose caller waits
 */
function deadlineOf(slug: string, hook: string, seconds: number | undefined): number | undefined {
  if (seconds === undefined) return undefined;
  if (!durable.has(hook) && hook !== 'cron')
    throw new Error(
      `${slug}: deadlineSeconds is for listeners of durable hooks and of "cron", not of "${hook}": a request waits for those.`,
    );
  if (!Number.isFinite(seconds) || seconds < MIN_DEADLINE || seconds > MAX_DEADLINE) {
    throw new Error(
      `${slug}: deadlineSeconds of a listener of "${hook}" must be ${MIN_DEADLINE} to ${MAX_DEADLINE}, not ${String(seconds)}.`,
    );
  }
  return seconds * 1_000;
}
