import { TakenBack } from '../../operations/index.js';
import type { SvcFacade } from '../../sdk/index.js';

import type { PluginLife } from '../runtime/plugin-life.js';

type AnyFunction = (...args: never[]) => unknown;

/** Result of a callback, by its registering function, if its plugin was disabled before the call: as if it were not registered. */
const WHEN_GONE: Readonly<Record<string, () => unknown>> = {
  svc_register_ajax: () => {
    throw new TakenBack();
  },
  svc_register_route: () => false,
  svc_register_home: () => null,
  svc_register_widget: () => null,
  svc_register_page_override: () => null,
  svc_register_partial_override: () => null,
  svc_add_action: () => undefined,
  svc_add_filter: () => undefined,
  svc_register_cron: () => undefined,
};

/** Called directly by visitors and programs: answered only after the plugin has started. */
const WHEN_STARTED: ReadonlySet<string> = new Set(['svc_register_ajax', 'svc_register_route']);

/** Functions that take a record whose functions are callbacks. */
const WITH_CALLBACKS: ReadonlySet<string> = new Set([
  ...['svc_register_payment', 'svc_register_notice_channel', 'svc_register_host_driver', 'svc_register_dns_driver'],
  ...['svc_register_job', 'provide'],
]);
/** Parts of such a record that are records of callbacks themselves: the ports of a host driver. */
const PORTS: ReadonlySet<string> = new Set(['files', 'domains', 'settings', 'traffic', 'bin']);

/**
 * Wraps the facade for its plugin: every function throws once the plugin is disabled, and every callback passed in is counted while it runs
 * and skipped afterwards. Applied to all functions here, so that a new one cannot be forgotten.
 */
export function guardedFacade(facade: SvcFacade, life: PluginLife): SvcFacade {
  const gone = (): never => {
    throw new Error(`The plugin "${life.slug}" was disabled.`);
  };
  const guardCallbacks = (name: string, value: unknown): unknown => {
    if (typeof value === 'function') {
      const whenGone = WHEN_GONE[name] ?? gone;
      return WHEN_STARTED.has(name) ? life.guardStarted(value as AnyFunction, whenGone) : life.guard(value as AnyFunction, whenGone);
    }
    if (!WITH_CALLBACKS.has(name) || typeof value !== 'object' || value === null) return value;
    const nested = (key: string): string => (name === 'svc_register_host_driver' && PORTS.has(key) ? 'svc_register_payment' : '');
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, guardCallbacks(nested(key), entry)]));
  };
  const refusing = (name: string, call: AnyFunction): AnyFunction => {
    const takesCallbacks = /^(?:svc_(?:register|add)_|provide$)/.test(name);
    return (...args: unknown[]) => {
      life.requireOn();
      return call(...((takesCallbacks ? args.map((arg) => guardCallbacks(name, arg)) : args) as never[]));
    };
  };
  const guard = (value: unknown, name: string): unknown => {
    if (typeof value === 'function') return refusing(name, value as AnyFunction);
    if (typeof value !== 'object' || value === null) return value;
    return Object.freeze(
      Object.fromEntries(
        Object.entries(value).map(([key, entry]) => [
          key,
          typeof entry === 'function' ? refusing(key, entry as AnyFunction) : (entry as unknown),
        ]),
      ),
    );
  };
  return Object.freeze(
    Object.fromEntries(Object.entries(facade).map(([name, value]) => [name, guard(value, name)])),
  ) as unknown as SvcFacade;
}
