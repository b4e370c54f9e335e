import type { DriverAccount, DriverNode } from '../host-driver.js';

/** A server as its plugin sees it: a copy of what the contract names, and nothing else. */
export function nodeOf({ code, address, port, secure, panelKey, settings }: DriverNode): DriverNode {
  return { code, address, port, secure, panelKey, settings: { ...settings } };
}

/** A site as its plugin sees it. */
export function accountOf({ node, username, siteName, siteId, ownerMark }: DriverAccount): DriverAccount {
  return { node: nodeOf(node), username, siteName, siteId, ownerMark };
}
