import { Injectable } from '@nestjs/common';

import { NoInput, Operation, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { hostOf } from '../files/index.js';
import { type MaybeHost, SiteAccess, siteOperations } from '../site-tools/index.js';

import { newestFirst, shownVersion } from './php-version.js';
import { ProgramError, programError } from './program-errors.js';
import { PhpInput } from './program-inputs.js';
import { phpOf } from './site-state.js';

/** Operations on the PHP version of a site. Source: docs/panel-api.md "Programs of sites". */
export const phpOperations = siteOperations((on) => {
  @Injectable()
  class PhpOperations {
    constructor(private readonly sites: SiteAccess) {}

    /** Returns the site's version, and the versions available on its server. */
    @Operation(on('listphp', NoInput, null, 'read'))
    async versions(input: NoInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const { current, versions } = await phpOf(await this.sites.of(input, ctx, 'read'));
      return new SuccessReply('siteprograms.php_read', { php: current, list: newestFirst(versions) });
    }

    @Operation(on('phpxg', PhpInput, 'siteprograms.audit_php', 'write'))
    async use(input: PhpInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      const php = input.php.replace('.', '');
      site.port('php');
      if (php === '') throw new ProgramError('PHP_MISSING', {}, { php: 'siteprograms.php_version' });
      await site.ask('php', (port, account, deadline) => port.use(account, php, deadline), programError);
      return new SuccessReply('siteprograms.php_set', { phpversion: php }, { host: hostOf(site), version: shownVersion(php) });
    }
  }
  return PhpOperations;
});
