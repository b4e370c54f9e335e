export { PresenceModule } from './presence.module.js';
export { ServerPresence } from './server-presence.js';
