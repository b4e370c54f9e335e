import { Module } from '@nestjs/common';

import { PresenceBanner } from './presence-banner.js';
import { PresenceNotices } from './presence-notices.js';
import { ServerPresence } from './server-presence.js';

/** Availability of servers. Separate from the rest of hosting, which works without notices and pages. */
@Module({ providers: [ServerPresence, PresenceNotices, PresenceBanner] })
export class PresenceModule {}
