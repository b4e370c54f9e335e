export { SiteLookup } from './site-lookup.js';
export { SitesServer } from './sites-server.js';
