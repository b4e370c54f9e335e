export { secondsOf } from './file-rules.js';
export { FolderPasswords, hashFolderPassword } from './folder-passwords.js';
export { leadsInCircle } from './redirects.js';
export { isPrivate } from './safe-file.js';
export { SiteLookup } from './site-lookup.js';
export { SiteResponder } from './site-responder.js';
export { readSettings, SiteRules } from './site-rules.js';
export { SitesServer } from './sites-server.js';
