import type { CallContext } from '../../sdk/index.js';
import type { OpenSite, SiteAccess, SiteUse } from '../site-tools/index.js';

/** A form of an operation that both sides have: administrators name the host. */
export interface MaybeHost {
  readonly id?: number;
}

/** The site a call is about: the caller's own, or the one an administrator names. The side of the call decides, never what is in it. */
export function siteOf(sites: SiteAccess, input: MaybeHost, ctx: CallContext, use: SiteUse): Promise<OpenSite> {
  return ctx.scope === 'admin' ? sites.ofHost(input.id ?? 0) : sites.ofOwner(ctx, use);
}

/** Who calls, for what is kept with a deed or a link: `admin:1`, `user:7`. */
export function callerOf(ctx: CallContext): string {
  return ctx.scope === 'admin' ? `admin:${ctx.admin?.id ?? 0}` : `user:${ctx.user?.id ?? 0}`;
}

/** Whose site it is, for the operation log. */
export function hostOf(site: OpenSite): string {
  return site.account.username;
}
