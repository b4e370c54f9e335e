import './texts.js';

export { AccountRecovery, DeletionCap, isPackage, PASSWORD_HASHING, PAUSE_REASON, type QuotaKind } from './accounts/index.js';
export { BULK_TASK, BulkModule, HostBulk } from './bulk/index.js';
export { CertificateRepository, CertificatesModule, NameCheck } from './certificates/index.js';
export { DomainRepository, DomainCheck, DomainRecords, type DomainTarget, readDomain, SiteDomains } from './domains/index.js';
export {
  BundledPrograms,
  DeploymentsModule,
  PROGRAM_PICTURES_PATH,
  ProgramCatalogue,
  ProgramFit,
  ProgramPictures,
} from './deployments/index.js';
export { DriftModule, NodeDifferences } from './drift/index.js';
export * from './driver/index.js';
export * from './entities/index.js';
export { ExternalApi, KeyAttemptLimiter } from './external-api/index.js';
export { IdleRepository, IdleHosts, IdleModule, idleSettings, isAnyOn } from './idle/index.js';
export { ExpiryRepository, ExpiryDeletions, ExpiryForecast, type HostEnd, ExpiryModule, ExpiryReminders } from './expiry/index.js';
export { HoldsModule } from './holds/index.js';
export type { Terms, TermsChange } from './accounts/index.js';
export { HostNoticeAccounts } from './host-notice-accounts.js';
export * from './host-user-directory.js';
export * from './hosting-errors.js';
export * from './hosting.module.js';
export * from './hosting.service.js';
export { LoginLinks } from './login-links/index.js';
export { HostOwnership, OwnersModule } from './owners/index.js';
export {
  MAX_ZONES,
  NameRepository,
  type NameDns,
  NameProviders,
  NameRows,
  NameSales,
  NameSellers,
  Names,
  NamesModule,
  ownerOf,
  DEFAULT_TERMS,
  type WantedName,
  Zones,
  type ZoneTerms,
} from './names/index.js';
export { HostList } from './operations/index.js';
export { CallingKeys, NodesService, sealServerKeys } from './nodes/index.js';
export { type ServerLoad, ServerLoads } from './placement/index.js';
export { PresenceModule } from './presence/index.js';
export { ShopsModule } from './shops/index.js';
export { SiteBackupRecords, SiteBackupRemoval, SiteBackupRules, SiteBackupSchedule, SiteBackupsModule } from './site-backups/index.js';
export { SiteProgramsModule } from './site-programs/index.js';
export { dayAfter, monthsAfter, renewedByMonths, renewedFrom } from './calendar.js';
export { shownSize } from './files/index.js';
export { DATABASE_PASSWORD, DatabasePasswords, patienceOf, SiteAccess } from './site-tools/index.js';
export { SitesAddress } from './sites-address.js';
export { SitesServer } from './sites/index.js';
export {
  BinPurge,
  ExpiryLifts,
  ExpirySweep,
  NodeDriftCheck,
  QuotaPauses,
  RemindersModule,
  USAGE_INTERVAL_MS,
  UsageSweep,
} from './maintenance/index.js';
export { callingKey } from './wire/index.js';
export { HostingPagesModule } from './pages/index.js';
