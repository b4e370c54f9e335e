import { Injectable } from '@nestjs/common';

import { PluginCalls, type RegistrationScope, type Undo } from '../../common/index.js';

import { PluginError } from '../errors.js';
import type { PluginPackage } from '../package/manifest.js';
import { RunningPlugins } from '../runtime/running-plugins.js';

type Call = (...args: unknown[]) => unknown;

const NAME = /^([a-zA-Z0-9_-]+)\/[a-zA-Z0-9_.-]{1,40}$/;

/** Services that plugins of this process offer to each other. */
@Injectable()
export class ServiceRegistry {
  private readonly services = new Map<string, Readonly<Record<string, Call>>>();

  constructor(
    private readonly calls: PluginCalls,
    private readonly running: RunningPlugins,
  ) {}

  /** Whether a plugin with that slug or alias runs here. */
  isRunning(slug: string): boolean {
    return this.running.has(slug) || [...this.running.values()].some((plugin) => plugin.package.provides.includes(slug));
  }

  /** @throws Error for a name outside the plugin's namespace, a name that is taken, and anything but an object of functions */
  add({ slug, provides }: PluginPackage, name: string, service: object): Undo {
    const owner = NAME.exec(String(name))?.[1];
    if (owner === undefined || ![slug, ...provides].includes(owner))
      throw new Error(`${slug}: a service needs a name such as "${slug}/prices", not ${JSON.stringify(name)}.`);
    if (this.services.has(name)) throw new Error(`${slug}: the service "${name}" is already registered.`);
    const functions = Object.entries(service ?? {}).filter((entry): entry is [string, Call] => typeof entry[1] === 'function');
    if (functions.length === 0) throw new Error(`${slug}: the service "${name}" needs an object of functions.`);
    const offered = Object.fromEntries(
      functions.map(([call, work]) => [call, this.calls.guard(slug, `service ${name}.${call}`, { kind: 'operation' }, work)]),
    );
    this.services.set(name, offered);
    return () => {
      if (this.services.get(name) === offered) this.services.delete(name);
    };
  }

  /**
   * Returns a proxy for a service; the provider is looked up at each call.
   *
   * @param slug of the calling plugin
   * @param registrations of the calling plugin: the proxy ends with them
   */
  proxyOf(slug: string, name: string, registrations: RegistrationScope): object {
    const call =
      (key: string) =>
      async (...args: unknown[]): Promise<unknown> => {
        if (registrations.isDisposed) throw new Error(`The plugin "${slug}" was disabled.`);
        const offered = this.services.get(String(name));
        if (!offered || !Object.hasOwn(offered, key)) throw new PluginError('SERVICE_MISSING', { call: `${name}.${key}` });
        return offered[key]!(...args);
      };
    // Awaiting or printing the proxy must not count as a call.
    return new Proxy({}, { get: (_, key) => (typeof key !== 'string' || key === 'then' || key === 'toJSON' ? undefined : call(key)) });
  }
}
