import { Injectable } from '@nestjs/common';

import { Faults, PluginCalls, type RegistrationScope } from '../../common/index.js';
import { DnsKinds, pluginDnsDriver } from '../../dns/index.js';
import type { SvcFacade } from '../../sdk/index.js';

import { PluginError } from '../errors.js';
import type { PluginPackage } from '../package/manifest.js';
import { DNS_PERMISSION, permissionsOf } from '../package/permissions.js';

import { RegistrationNotices } from './registration-notices.js';

/** The functions of the facade about DNS providers. */
export type DnsFunctions = Pick<SvcFacade, 'svc_register_dns_driver'>;

/** Binds kinds of DNS providers to one plugin. */
@Injectable()
export class DnsFunctionsFactory {
  constructor(
    private readonly kinds: DnsKinds,
    private readonly calls: PluginCalls,
    private readonly faults: Faults,
    private readonly noticed: RegistrationNotices,
  ) {}

  functionsFor({ slug, manifest }: PluginPackage, registrations: RegistrationScope): DnsFunctions {
    return {
      svc_register_dns_driver: (kind, record) => {
        if (!permissionsOf(manifest).includes(DNS_PERMISSION))
          throw new PluginError('PERMISSION_MISSING', { call: 'svc_register_dns_driver', permission: DNS_PERMISSION });
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
