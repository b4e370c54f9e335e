import { Injectable } from '@nestjs/common';

import { Faults, PluginCalls, type RegistrationScope } from '../../common/index.js';
import { DriverRegistry, pluginDriver } from '../../hosting/index.js';
import type { SvcFacade } from '../../sdk/index.js';

import { PluginError } from '../errors.js';
import type { PluginPackage } from '../package/manifest.js';
import { HOST_DRIVER_PERMISSION, permissionsOf } from '../package/permissions.js';

import { RegistrationNotices } from './registration-notices.js';

/** The functions of the facade about servers. */
export type DriverFunctions = Pick<SvcFacade, 'svc_register_host_driver'>;

/** Binds kinds of servers to one plugin. */
@Injectable()
export class DriverFunctionsFactory {
  constructor(
    private readonly drivers: DriverRegistry,
    private readonly calls: PluginCalls,
    private readonly faults: Faults,
    private readonly noticed: RegistrationNotices,
  ) {}

  functionsFor({ slug, manifest }: PluginPackage, registrations: RegistrationScope): DriverFunctions {
    return {
      svc_register_host_driver: (kind, record) => {
        if (!permissionsOf(manifest).includes(HOST_DRIVER_PERMISSION))
          throw new PluginError('PERMISSION_MISSING', { call: 'svc_register_host_driver', permission: HOST_DRIVER_PERMISSION });
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
