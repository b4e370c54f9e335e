import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { ListReply, NoInput, Operation, type SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { DomainRepository } from '../domains/index.js';
import { type MaybeHost, SiteAccess, siteOperations } from '../site-tools/index.js';
import { formsLoop } from '../sites/index.js';
import { SitesAddress } from '../sites-address.js';

import { hostOn, WebSettingEditor } from './setting-editor.js';
import { refuse } from './setting-errors.js';
import { HostRedirectInput, RedirectIdInput, RedirectInput } from './setting-inputs.js';
import { MAX_ENTRIES, readRedirect } from './setting-values.js';

/** Operations on the redirects of a site. Source: docs/panel-api.md "Site settings". */
export const redirectOperations = siteOperations((on, side) => {
  @Injectable()
  class RedirectOperations {
    constructor(
      private readonly editor: WebSettingEditor,
      private readonly access: SiteAccess,
      private readonly domains: DomainRepository,
      private readonly sites: SitesAddress,
    ) {}

    @Operation(on('cdxlb', NoInput, null, 'read'))
    async redirects(input: NoInput & MaybeHost, ctx: CallContext): Promise<ListReply> {
      const { redirects } = await this.editor.present(input, ctx);
      return new ListReply(
        redirects.length,
        redirects.map(({ id, from, to, status }) => hostOn(side, { id, ly: from, mb: to, lx: status }, input)),
      );
    }

    @Operation(on('cdxtj', RedirectInput, 'hosting.audit_setting_redirect', 'write'))
    async addRedirect(input: RedirectInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const { ly, mb, lx } = input;
      const redirect = { id: randomBytes(6).toString('hex'), ...readRedirect(ly, mb), status: lx };
      const site = await this.access.of(input, ctx, 'change');
      const own = new Set([this.sites.nameOf(site.account.username), ...(await this.domains.all(site.account.id)).map(({ name }) => name)]);
      return this.editor.saveOn(
        site,
        ({ redirects }) => {
          if (redirects.some(({ from }) => from === redirect.from)) refuse('TAKEN', 'ly', { name: redirect.from });
          if (redirects.length >= MAX_ENTRIES) refuse('TOO_MANY', 'ly', { n: MAX_ENTRIES });
          const all = [...redirects, redirect];
          if (all.some((start) => formsLoop(all, start, (to) => pathOn(own, to)))) refuse('CIRCLE', 'mb', { to: redirect.to });
          return { redirects: all };
        },
        'hosting.setting_added',
      );
    }

    @Operation(on('cdxsc', side === 'admin' ? HostRedirectInput : RedirectIdInput, 'hosting.audit_setting_redirect', 'write'))
    removeRedirect(input: RedirectIdInput | (HostRedirectInput & MaybeHost), ctx: CallContext): Promise<SuccessReply> {
      const [gone, host]: [string, MaybeHost] = 'cdx' in input ? [input.cdx, input] : [input.id, {}];
      return this.editor.save(
        host,
        ctx,
        ({ redirects }) => {
          if (!redirects.some((present) => present.id === gone)) refuse('MISSING', 'id', { name: gone });
          return { redirects: redirects.filter((present) => present.id !== gone) };
        },
        'hosting.setting_removed',
      );
    }
  }
  return RedirectOperations;
});

/** Returns the path of an address on this site; null for an address elsewhere. */
function pathOn(own: ReadonlySet<string>, to: string): string | null {
  const { hostname, pathname } = new URL(to, 'http://site.invalid');
  if (!to.startsWith('/') && !own.has(hostname)) return null;
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}
