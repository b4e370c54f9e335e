import { Module } from '@nestjs/common';

import { DueIdleActions } from './due-idle-actions.js';
import { IdleBanner } from './idle-banner.js';
import { IdleRepository } from './idle-repository.js';
import { IdleHosts } from './idle-hosts.js';
import { IdleNotices } from './idle-notices.js';
import { IdleSettingsOperations } from './idle-settings.operations.js';
import { IdleOperations } from './idle.operations.js';

/** Unused hosts. Separate from the rest of hosting, which works without notices and pages. */
@Module({
  providers: [IdleRepository, IdleHosts, DueIdleActions, IdleNotices, IdleOperations, IdleSettingsOperations, IdleBanner],
  exports: [IdleRepository],
})
export class IdleModule {}
