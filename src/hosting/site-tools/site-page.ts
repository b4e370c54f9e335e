import type { RequestContext } from '../../operations/index.js';
import { PageMissing } from '../../web/index.js';
import { HostingError } from '../hosting-errors.js';

import type { OpenSite } from './open-site.js';
import type { SiteAccess } from './site-access.js';

/**
 * What a page about one site shows: its owner's is about his own, an administrator's about the host it is asked for, whose id is `host_id`.
 * Of a server whose kind nobody drives there is nothing to show (`able` is false).
 *
 * @param always what the page shows there, too
 * @throws PageMissing for a host there is not, or not for this administrator; what `show` throws
 *
 * @example
 * ```ts
 * ofEither(call: RequestContext): Promise<object> {
 *   return siteVars(this.sites, call, ({ account }) => ({ able: true, user: account.username }));
 * }
 * ```
 */
export async function siteVars(
  sites: SiteAccess,
  call: RequestContext,
  show: (site: OpenSite) => object | Promise<object>,
  always: object = {},
): Promise<object> {
  const host = call.scope === 'admin' ? { host_id: askedHost(call) } : {};
  try {
    const site = await sites.of({ id: host.host_id }, call, 'look');
    return { ...always, ...(await show(site)), ...host };
  } catch (error) {
    if (!(error instanceof HostingError)) throw error;
    if (error.code === 'DRIVER_MISSING') return { ...always, able: false, ...host };
    throw error.code === 'ACCOUNT_NOT_FOUND' ? new PageMissing() : error;
  }
}

/** Id of the host an administrator's page is asked for, `?id=12`. @throws PageMissing for what is none */
function askedHost({ query }: RequestContext): number {
  const id = Number(query.id);
  if (!Number.isSafeInteger(id) || id < 1) throw new PageMissing();
  return id;
}
