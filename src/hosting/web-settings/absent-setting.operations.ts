import { Injectable } from '@nestjs/common';

import { NoInput, Operation, type SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { HostingError } from '../hosting-errors.js';
import { type MaybeHost, SiteAccess, siteOperations } from '../site-tools/index.js';

/**
 * Settings that other panels of this family have, but no kind of server here supports: proxies. Source: docs/panel-api.md "Site settings".
 */
export const absentSettingOperations = siteOperations((on) => {
  @Injectable()
  class AbsentSettingOperations {
    constructor(private readonly access: SiteAccess) {}

    @Operation(on('fzjh', NoInput, 'hosting.audit_setting_unable', 'write'))
    async setProxy(input: NoInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      await this.access.of(input, ctx, 'read');
      throw new HostingError('PORT_MISSING');
    }
  }
  return AbsentSettingOperations;
});
