import { Injectable } from '@nestjs/common';

import { Faults, PluginCalls, type RegistrationScope } from '../../common/index.js';
import { DnsKinds, pluginDnsDriver } from '../../dns/index.js';
import type { SvcFacade } from '../../sdk/index.js';

import type { PluginPackage } from '../package/manifest.js';
import { requirePermission } from '../package/permissions.js';

import { RegistrationNotices } from './registration-notices.js';

/** Facade functions for DNS providers. */
export type DnsFunctions = Pick<SvcFacade, 'svc_register_dns_driver'>;

/** Binds the registration of DNS drivers to one plugin. */
@Injectable()
export class DnsFunctionsFactory {
  constructor(
    private readonly kinds: DnsKinds,
    private readonly calls: PluginCalls,
    private readonly faults: Faults,
    private readonly noticed: RegistrationNotices,
  ) {}

  functionsFor(plugin: PluginPackage, registrations: RegistrationScope): DnsFunctions {
    const { slug } = plugin;
    return {
      svc_register_dns_driver: (kind, record) => {
        requirePermission(plugin, 'dns', 'svc_register_dns_driver');
        const gone = new AbortController();
        const driver = pluginDnsDriver({
          slug,
          kind,
          record,
          guard: (place, call) => this.calls.run(this.calls.place(slug, place), { kind: 'channel' }, call),
          failed: (place, error) => this.faults.note(slug, place, error),
          gone: gone.signal,
        });
        const undo = this.kinds.add(driver);
        this.noticed.dns(slug, record);
        return registrations.add(() => {
          undo();
          gone.abort();
        });
      },
    };
  }
}
