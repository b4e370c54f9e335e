import { Module } from '@nestjs/common';

import { DeploymentsModule } from '../deployments/index.js';
import { SiteBackupsModule } from '../site-backups/index.js';

import { EmptyingOperations } from './emptying.operations.js';
import { MoveBanner } from './move-banner.js';
import { MoveEnds } from './move-ends.js';
import { MoveFitting } from './move-fit.js';
import { MoveNotices } from './move-notices.js';
import { MoveOperations } from './move.operations.js';
import { MoveRecords } from './move-records.js';
import { MoveRows } from './move-rows.js';
import { MoveRunner } from './move-runner.js';
import { MoveSites } from './move-sites.js';
import { MoveSteps } from './move-steps.js';
import { MoveSwitch } from './move-switch.js';
import { MoveWork } from './move-work.js';
import { OldSites } from './old-sites.js';
import { OtherWork } from './other-work.js';
import { ServerEmptyings } from './server-emptying.js';
import { SiteCopy } from './site-copy.js';

/** Moving sites to other servers. Separate from the rest of hosting, which works without a queue and notices. */
@Module({
  imports: [DeploymentsModule, SiteBackupsModule],
  providers: [
    MoveRecords,
    MoveSites,
    MoveFitting,
    SiteCopy,
    OtherWork,
    MoveSwitch,
    MoveNotices,
    MoveEnds,
    MoveSteps,
    MoveRunner,
    MoveWork,
    MoveRows,
    OldSites,
    MoveBanner,
    MoveOperations,
    ServerEmptyings,
    EmptyingOperations,
  ],
  exports: [MoveRecords, MoveRows, MoveWork, ServerEmptyings],
})
export class MovesModule {}
