import type { DriverAccount, DriverNode, SiteSpecification } from '../host-driver.js';

/** A server as its plugin sees it: a copy of what the contract names, and nothing else. */
export function nodeOf({ code, address, port, secure, panelKey, settings, defaultPhp }: DriverNode): DriverNode {
  return { code, address, port, secure, panelKey, settings: { ...settings }, ...(defaultPhp ? { defaultPhp } : {}) };
}

/** A site as its plugin sees it. */
export function accountOf({ node, username, siteName, siteId, ownerMark }: DriverAccount): DriverAccount {
  return { node: nodeOf(node), username, siteName, siteId, ownerMark };
}

/** A site that is to be made, or taken over, as its plugin sees it. */
export function siteOf(site: SiteSpecification): SiteSpecification {
  const { password, quota, expiresOn } = site;
  return { ...accountOf(site), password, quota: { ...quota }, expiresOn };
}
