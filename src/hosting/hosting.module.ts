import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';

import {
  AccountChanges,
  AccountDrivers,
  AccountRecovery,
  AccountReconciler,
  AccountStore,
  DeletionCap,
  KeptSites,
  LifeCycleService,
  PauseReasons,
  ProvisioningService,
  ReconciledChanges,
  SiteSwitchService,
} from './accounts/index.js';
import { BinList, BinOperations, BinRestore } from './bin/index.js';
import {
  AdminDomainOperations,
  DomainBook,
  DomainCheck,
  DomainProof,
  DomainRecords,
  SiteDomains,
  UserDomainOperations,
} from './domains/index.js';
import { DriverRegistry } from './driver/index.js';
import { EmbeddedDriver, EmbeddedTraffic, EmbeddedFiles, SiteFolders } from './embedded/index.js';
import { ApiCallers, ExternalApi, KeyAttemptLimiter, HostCommands } from './external-api/index.js';
import { HostNoticeAccounts } from './host-notice-accounts.js';
import { HostUserDirectory } from './host-user-directory.js';
import { HostingService } from './hosting.service.js';
import { LoginLinks } from './login-links/index.js';
import { ServerLookups } from './server-lookups.js';
import { NodeChanges, NodeServers, NodesService } from './nodes/index.js';
import {
  AdminHostOperations,
  HostDeleteOperations,
  HostEdit,
  HostEditOperations,
  HostLifeOperations,
  HostList,
  HostRows,
  NodeOperations,
  NodeServerOperations,
  UserHostOperations,
} from './operations/index.js';
import { IdleDeeds } from './idle/index.js';
import { SettingBook, SettingOperations } from './site-settings/index.js';
import { FolderPasswords, SiteLookup, SiteResponder, SiteRules, SitesServer } from './sites/index.js';
import {
  AccountSpace,
  FileCare,
  FileChangeOperations,
  FileDeedOperations,
  FileDeeds,
  FileLinks,
  FileRows,
  FileUploadOperations,
  FileViewOperations,
  SiteFiles,
} from './files/index.js';
import { SitesAddress } from './sites-address.js';
import { SiteAccess } from './site-tools/index.js';
import { BinPurge, ExpirySweep, NodeDriftCheck, QuotaPauses, TrafficMonth, UsageRefresh, UsageSweep } from './maintenance/index.js';

import { TrafficBook, TrafficMeter } from './traffic/index.js';

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
        EmbeddedFiles,
        EmbeddedDriver,
        EmbeddedTraffic,
        TrafficBook,
        TrafficMeter,
        TrafficMonth,
        SitesAddress,
        SiteLookup,
        SiteRules,
        SettingBook,
        SettingOperations,
        SiteResponder,
        FolderPasswords,
        DomainBook,
        DomainRecords,
        DomainCheck,
        DomainProof,
        SiteDomains,
        AdminDomainOperations,
        UserDomainOperations,
        SitesServer,
        AccountStore,
        KeptSites,
        DeletionCap,
        AccountChanges,
        AccountDrivers,
        AccountReconciler,
        AccountRecovery,
        ReconciledChanges,
        PauseReasons,
        LifeCycleService,
        SiteSwitchService,
        SiteAccess,
        ExpirySweep,
        BinPurge,
        BinList,
        BinRestore,
        BinOperations,
        UsageSweep,
        UsageRefresh,
        NodeDriftCheck,
        QuotaPauses,
        IdleDeeds,
        ProvisioningService,
        NodesService,
        NodeChanges,
        NodeServers,
        ServerLookups,
        HostingService,
        HostUserDirectory,
        HostNoticeAccounts,
        KeyAttemptLimiter,
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
        AccountSpace,
        FileCare,
        FileDeeds,
        FileLinks,
        FileRows,
        SiteFiles,
        FileChangeOperations,
        FileDeedOperations,
        FileUploadOperations,
        FileViewOperations,
      ],
      exports: [
        DriverRegistry,
        DomainBook,
        DomainCheck,
        DomainRecords,
        SiteAccess,
        SettingBook,
        SiteDomains,
        HostingService,
        HostUserDirectory,
        HostNoticeAccounts,
        LoginLinks,
        NodesService,
        NodeChanges,
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
        IdleDeeds,
        SiteAccess,
        SiteFiles,
        FileLinks,
        FileCare,
      ],
    };
  }
}
