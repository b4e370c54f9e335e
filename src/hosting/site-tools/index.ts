export { DATABASE_PASSWORD, DatabasePasswords } from './database-passwords.js';
export { waitShortly } from './short-wait.js';
export { OpenSite, patienceOf, type PortCall } from './open-site.js';
export { SiteAccess } from './site-access.js';
export { type MaybeHost, siteOperations } from './site-operations.js';
export { siteVars } from './site-page.js';
export { applyOrUndo } from './apply-or-undo.js';
