import type { CallContext } from '../../sdk/index.js';
import type { OpenSite } from '../site-tools/index.js';

/** Returns the key of the caller stored with an action or a link: `admin:1`, `user:7`. */
export function callerOf(ctx: CallContext): string {
  return ctx.scope === 'admin' ? `admin:${ctx.admin?.id ?? 0}` : `user:${ctx.user?.id ?? 0}`;
}

/** Returns the name of a site's host, for the operation log. */
export function hostOf(site: OpenSite): string {
  return site.account.username;
}
