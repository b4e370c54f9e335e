import { Injectable } from '@nestjs/common';

import { NoInput, Operation, type SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { HostingError } from '../hosting-errors.js';
import { type MaybeHost, SiteAccess, siteOperations } from '../site-tools/index.js';

/**
 * What other panels of this family set, and no kind of server has here: rewrites and proxies. Source: docs/panel-api.md "Site settings".
 */
export const absentSettingOperations = siteOperations((on) => {
  @Injectable()
  class AbsentSettingOperations {
    constructor(private readonly access: SiteAccess) {}

    /** What this kind of server cannot do is said, not accepted. */
    private async unable(input: MaybeHost, ctx: CallContext): Promise<never> {
      await this.access.of(input, ctx, 'look');
      throw new HostingError('PORT_MISSING');
    }

    @Operation(on('hqjt', NoInput, null, 'read'))
    rewrites(input: NoInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      return this.unable(input, ctx);
    }

    @Operation(on('setwjt', NoInput, 'hosting.audit_setting_unable', 'write'))
    setRewrites(input: NoInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      return this.unable(input, ctx);
    }

    @Operation(on('fzjh', NoInput, 'hosting.audit_setting_unable', 'write'))
    setProxy(input: NoInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      return this.unable(input, ctx);
    }
  }
  return AbsentSettingOperations;
});
