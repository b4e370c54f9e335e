import { Module } from '@nestjs/common';

import { PresenceBanner } from './presence-banner.js';
import { PresenceNotices } from './presence-notices.js';
import { ServerPresence } from './server-presence.js';

/** Which servers are there, apart from the rest of hosting, which works without notices and pages. */
@Module({ providers: [ServerPresence, PresenceNotices, PresenceBanner] })
export class PresenceModule {}
