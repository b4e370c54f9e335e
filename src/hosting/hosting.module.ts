import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';

import { AccountChanges } from './accounts/account-changes.js';
import { AccountDrivers } from './accounts/account-driver.js';
import { AccountRecovery } from './accounts/account-recovery.js';
import { AccountSettlement } from './accounts/account-settlement.js';
import { AccountStore } from './accounts/account-store.js';
import { LifeCycleService } from './accounts/life-cycle.service.js';
import { PauseReasons } from './accounts/pause-reasons.js';
import { ProvisioningService } from './accounts/provisioning.service.js';
import { SettledChanges } from './accounts/settled-changes.js';
import { SiteSwitchService } from './accounts/site-switch.service.js';
import { DriverRegistry } from './driver/index.js';
import { EmbeddedDriver, SiteFolders } from './embedded/index.js';
import { ApiCallers } from './external-api/api-callers.js';
import { ExternalApi } from './external-api/external-api.js';
import { FailedKeys } from './external-api/failed-keys.js';
import { HostCommands } from './external-api/host-commands.js';
import { HostUserDirectory } from './host-user-directory.js';
import { HostingService } from './hosting.service.js';
import { LoginLinks } from './login-links/login-links.js';
import { NodeChanges } from './nodes/node-changes.js';
import { NodeServers } from './nodes/node-servers.js';
import { NodesService } from './nodes/nodes.service.js';
import { AdminHostOperations } from './operations/admin-host.operations.js';
import { HostDeleteOperations } from './operations/host-delete.operations.js';
import { HostEdit } from './operations/host-edit.js';
import { HostEditOperations } from './operations/host-edit.operations.js';
import { HostLifeOperations } from './operations/host-life.operations.js';
import { HostList } from './operations/host-list.js';
import { HostRows } from './operations/host-rows.js';
import { NodeServerOperations } from './operations/node-server.operations.js';
import { NodeOperations } from './operations/node.operations.js';
import { UserHostOperations } from './operations/user-host.operations.js';
import { SiteLookup } from './sites/site-lookup.js';
import { SitesAddress } from './sites/sites-address.js';
import { SitesServer } from './sites/sites-server.js';
import { ExpirySweep } from './upkeep/expiry-sweep.js';
import { NodeDriftCheck } from './upkeep/node-drift.js';
import { UsageRefresh } from './upkeep/usage-refresh.js';
import { UsageSweep } from './upkeep/usage-sweep.js';

/** Hosting accounts, their servers and the sites of the embedded one. */
@Module({})
export class HostingModule {
  /** @param imports modules that export `PASSWORD_HASHING` and `EventOutbox` */
  static forRoot(imports: ModuleMetadata['imports'] = []): DynamicModule {
    return {
      module: HostingModule,
      global: true,
      imports,
      providers: [
        DriverRegistry,
        SiteFolders,
        EmbeddedDriver,
        SitesAddress,
        SiteLookup,
        SitesServer,
        AccountStore,
        AccountChanges,
        AccountDrivers,
        AccountSettlement,
        AccountRecovery,
        SettledChanges,
        PauseReasons,
        LifeCycleService,
        SiteSwitchService,
        ExpirySweep,
        UsageSweep,
        UsageRefresh,
        NodeDriftCheck,
        ProvisioningService,
        NodesService,
        NodeChanges,
        NodeServers,
        HostingService,
        HostUserDirectory,
        FailedKeys,
        LoginLinks,
        HostCommands,
        ApiCallers,
        ExternalApi,
        HostList,
        HostRows,
        HostEdit,
        AdminHostOperations,
        HostEditOperations,
        HostLifeOperations,
        HostDeleteOperations,
        UserHostOperations,
        NodeOperations,
        NodeServerOperations,
      ],
      exports: [DriverRegistry, HostingService, HostUserDirectory, LoginLinks, NodesService, SitesAddress, SitesServer, ApiCallers, ExternalApi, AccountRecovery, ExpirySweep, UsageSweep, NodeDriftCheck],
    };
  }
}
