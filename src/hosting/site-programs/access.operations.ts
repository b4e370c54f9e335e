import { Injectable } from '@nestjs/common';

import { NoInput, Operation, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { hostOf } from '../files/index.js';
import { type MaybeHost, SiteAccess, siteOperations } from '../site-tools/index.js';

import { programError } from './program-errors.js';
import { FileAccessInput } from './program-inputs.js';
import { ServerAddresses } from './server-addresses.js';
import { fileAccessOf } from './site-state.js';

/** SFTP or FTP access of a site, with the password of the host. Source: docs/panel-api.md "Programs of sites". */
export const accessOperations = siteOperations((on) => {
  @Injectable()
  class AccessOperations {
    constructor(
      private readonly sites: SiteAccess,
      private readonly addresses: ServerAddresses,
    ) {}

    /** Returns the connection data for a file transfer client. */
    @Operation(on('ftpxx', NoInput, null, 'read'))
    async find(input: NoInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'read');
      const { protocol, port, username, enabled, host } = await fileAccessOf(site);
      const address = host || (await this.addresses.of(site.account));
      return new SuccessReply('siteprograms.access_read', { lx: protocol, host: address, port, user: username, kg: String(enabled) });
    }

    @Operation(on('ftpkg', FileAccessInput, 'siteprograms.audit_access', 'write'))
    async enable(input: FileAccessInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      await site.ask('access', (access, account, deadline) => access.enable(account, input.kg, deadline), programError);
      const state = { key: input.kg ? 'siteprograms.access_on' : 'siteprograms.access_off' };
      return new SuccessReply(state.key, {}, { host: hostOf(site), state });
    }
  }
  return AccessOperations;
});
