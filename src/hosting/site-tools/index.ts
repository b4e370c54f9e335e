export { OpenSite, type PortCall } from './open-site.js';
export { SiteAccess, type SiteUse } from './site-access.js';
