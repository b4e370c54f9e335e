import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';

import {
  AccountChanges,
  AccountDrivers,
  AccountHolds,
  AccountRecovery,
  AccountStore,
  DeletionCap,
  LifeCycleService,
  ProvisioningService,
  ReconciledChanges,
  ACCOUNT_PROVIDERS,
} from './accounts/index.js';
import { BAOTA_PROVIDERS } from './baota/index.js';
import { BinList, BinOperations, BinRestore, BinSettingsOperations } from './bin/index.js';
import { DomainRepository, DomainCheck, DomainRecords, SiteDomains, DOMAIN_PROVIDERS } from './domains/index.js';
import { SiteRepair, SiteServing } from './drift/index.js';
import { CertificateRepository } from './certificates/index.js';
import { DriverNodes, DriverRegistry } from './driver/index.js';
import { EMBEDDED_PROVIDERS } from './embedded/index.js';
import { ApiCallers, ExternalApi, KeyAttemptLimiter, HostCommands } from './external-api/index.js';
import { HostNoticeAccounts } from './host-notice-accounts.js';
import { HostUserDirectory } from './host-user-directory.js';
import { HostingService } from './hosting.service.js';
import { LoginLinks } from './login-links/index.js';
import { ServerLookups } from './server-lookups.js';
import { CallingKeys, NodeChanges, NodesService, ServerGroups, ServerLeftovers, NODE_PROVIDERS } from './nodes/index.js';
import { HostList, HostRows, HOST_OPERATION_PROVIDERS } from './operations/index.js';
import { IdleActions, IdleSigns } from './idle/index.js';
import { WebSettingRepository, WEB_SETTING_OPERATIONS } from './web-settings/index.js';
import { SitesServer, SITE_PROVIDERS } from './sites/index.js';
import { AccountSpace, FileMaintenance, FileLinks, SiteDownloads, SiteFiles, FILE_PROVIDERS } from './files/index.js';
import { ServerLoads, ServerPlacement } from './placement/index.js';
import { SitesAddress } from './sites-address.js';
import { DatabasePasswords, SiteAccess } from './site-tools/index.js';
import { BinPurge, ExpirySweep, NodeDriftCheck, QuotaPauses, UsageSweep, MAINTENANCE_PROVIDERS } from './maintenance/index.js';

import { RawLogs, SiteStatistics, STATISTIC_PROVIDERS } from './statistics/index.js';
import { TrafficRepository, TrafficMeter } from './traffic/index.js';

/** Hosting accounts, their servers, and the sites of the built-in server. */
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
        DriverNodes,
        ...NODE_PROVIDERS,
        ...EMBEDDED_PROVIDERS,
        ...BAOTA_PROVIDERS,
        TrafficRepository,
        TrafficMeter,
        ...MAINTENANCE_PROVIDERS,
        SitesAddress,
        ...SITE_PROVIDERS,
        WebSettingRepository,
        ...WEB_SETTING_OPERATIONS,
        ...DOMAIN_PROVIDERS,
        ...ACCOUNT_PROVIDERS,
        SiteAccess,
        DatabasePasswords,
        BinList,
        BinRestore,
        BinOperations,
        BinSettingsOperations,
        SiteRepair,
        SiteServing,
        CertificateRepository,
        IdleActions,
        IdleSigns,
        ServerLoads,
        ServerPlacement,
        ServerLookups,
        HostingService,
        HostUserDirectory,
        HostNoticeAccounts,
        KeyAttemptLimiter,
        LoginLinks,
        HostCommands,
        ApiCallers,
        ExternalApi,
        ...HOST_OPERATION_PROVIDERS,
        ...STATISTIC_PROVIDERS,
        ...FILE_PROVIDERS,
      ],
      exports: [
        CertificateRepository,
        SiteRepair,
        SiteServing,
        DriverNodes,
        CallingKeys,
        DriverRegistry,
        DomainRepository,
        DomainCheck,
        DomainRecords,
        SiteAccess,
        DatabasePasswords,
        WebSettingRepository,
        SiteDomains,
        HostingService,
        HostUserDirectory,
        HostNoticeAccounts,
        LoginLinks,
        NodesService,
        NodeChanges,
        ServerLeftovers,
        ServerGroups,
        ServerLoads,
        ServerPlacement,
        SitesAddress,
        SitesServer,
        ApiCallers,
        ExternalApi,
        AccountRecovery,
        BinPurge,
        DeletionCap,
        ExpirySweep,
        UsageSweep,
        NodeDriftCheck,
        KeyAttemptLimiter,
        QuotaPauses,
        IdleActions,
        IdleSigns,
        SiteFiles,
        SiteDownloads,
        FileLinks,
        FileMaintenance,
        RawLogs,
        SiteStatistics,
        TrafficMeter,
        AccountChanges,
        AccountDrivers,
        AccountStore,
        ReconciledChanges,
        AccountHolds,
        LifeCycleService,
        AccountSpace,
        HostList,
        HostRows,
        ProvisioningService,
      ],
    };
  }
}
