export { DATABASE_PASSWORD, DatabasePasswords, type KnownPassword } from './database-passwords.js';
export { waitShortly } from './short-wait.js';
export { OpenSite, type Patience, patienceOf, type PortCall } from './open-site.js';
export { SiteAccess, type SiteUse } from './site-access.js';
export { type DeclareSiteOperation, type MaybeHost, siteOperations } from './site-operations.js';
export { siteVars } from './site-page.js';
export { tellOrUndo } from './tell-or-undo.js';
