import type { DriverAccount, DriverNode, SiteSpecification } from '../host-driver.js';

/** Copies the documented properties of a server for its plugin. */
export function nodeOf({ code, address, port, secure, panelKey, settings, defaultPhp }: DriverNode): DriverNode {
  return { code, address, port, secure, panelKey, settings: { ...settings }, ...(defaultPhp ? { defaultPhp } : {}) };
}

/** Copies the documented properties of a site for its plugin. */
export function accountOf({ node, username, siteName, siteId, ownerMark }: DriverAccount): DriverAccount {
  return { node: nodeOf(node), username, siteName, siteId, ownerMark };
}

/** Copies a site to create or adopt for its plugin. */
export function siteOf(site: SiteSpecification): SiteSpecification {
  const { password, quota, expiresOn } = site;
  return { ...accountOf(site), password, quota: { ...quota }, expiresOn };
}
