import type { RequestContext } from '../../operations/index.js';
import { PageMissing } from '../../web/index.js';
import { HostingError } from '../hosting-errors.js';

import type { OpenSite } from './open-site.js';
import type { SiteAccess } from './site-access.js';

/**
 * Builds the variables of a page about one site: for owners about their own, for administrators about the requested host, whose id is
 * `host_id`. For a server without a driver, `able` is false.
 *
 * @param always variables that are also set in that case
 * @throws PageMissing if the host does not exist or is not allowed for this administrator; errors of `show`
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
    const site = await sites.of({ id: host.host_id }, call, 'read');
    return { ...always, ...(await show(site)), ...host };
  } catch (error) {
    if (!(error instanceof HostingError)) throw error;
    if (error.code === 'DRIVER_MISSING') return { ...always, able: false, ...host };
    throw error.code === 'ACCOUNT_NOT_FOUND' ? new PageMissing() : error;
  }
}

/** Returns the host id of an administrator's page, `?id=12`. @throws PageMissing if it is invalid */
function askedHost({ query }: RequestContext): number {
  const id = Number(query.id);
  if (!Number.isSafeInteger(id) || id < 1) throw new PageMissing();
  return id;
}
