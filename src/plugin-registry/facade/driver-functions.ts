import { Injectable } from '@nestjs/common';

import { Faults, PluginCalls, type RegistrationScope } from '../../common/index.js';
import { DriverRegistry, pluginDriver } from '../../hosting/index.js';
import type { SvcFacade } from '../../sdk/index.js';

import type { PluginPackage } from '../package/manifest.js';
import { requirePermission } from '../package/permissions.js';

import { RegistrationNotices } from './registration-notices.js';

/** Facade functions for servers. */
export type DriverFunctions = Pick<SvcFacade, 'svc_register_host_driver'>;

/** Binds the registration of host drivers to one plugin. */
@Injectable()
export class DriverFunctionsFactory {
  constructor(
    private readonly drivers: DriverRegistry,
    private readonly calls: PluginCalls,
    private readonly faults: Faults,
    private readonly noticed: RegistrationNotices,
  ) {}

  functionsFor(plugin: PluginPackage, registrations: RegistrationScope): DriverFunctions {
    const { slug } = plugin;
    return {
      svc_register_host_driver: (kind, record) => {
        requirePermission(plugin, 'host_driver', 'svc_register_host_driver');
        const gone = new AbortController();
        const driver = pluginDriver({
          slug,
          kind,
          record,
          guard: (place, callKind, call) => this.calls.run(this.calls.place(slug, place), { kind: callKind }, call),
          failed: (place, error) => this.faults.note(slug, place, error),
          gone: gone.signal,
        });
        const undo = this.drivers.register(driver, slug);
        this.noticed.driver(slug, record);
        return registrations.add(() => {
          undo();
          gone.abort();
        });
      },
    };
  }
}
