import { Module } from '@nestjs/common';

import { HostActions } from './host-actions.js';
import { Layout } from './layout.js';
import { MemberMaintenance } from './member-maintenance.js';
import { MemberOperations } from './member-operations.js';
import { Members } from './members.js';
import { Openings } from './openings.js';
import { poolDatabase } from './pool-database.js';
import { PoolOperations } from './pool-operations.js';
import { PoolPages } from './pool-pages.js';
import { Pools } from './pools.js';
import { PortalEntry } from './portal-entry.js';
import { PortalHome } from './portal-home.js';
import { PortalHost } from './portal-host.js';
import { PortalOpening } from './portal-opening.js';
import { Servers } from './servers.js';
import { Sessions } from './sessions.js';

/** Gives sub-resellers a quota of their own, and pages to open and manage hosts within it. */
@Module({
  providers: [
    ...[poolDatabase, Pools, Members, Servers, Sessions, Openings, HostActions],
    ...[MemberMaintenance, PoolOperations, MemberOperations, PoolPages, Layout, PortalEntry, PortalHome, PortalOpening, PortalHost],
  ],
})
export default class ResourcePoolModule {}
