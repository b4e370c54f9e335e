export { AccountChanges } from './account-changes.js';
export { AccountDrivers, type BoundDriver, driverError, ownerMarkOf, portError, refusalText } from './account-driver.js';
export { AccountHolds } from './account-holds.js';
export {
  BYTES_PER_GB,
  BYTES_PER_MB,
  fullness,
  isOverQuota,
  type QuotaKind,
  SOLD_KINDS,
  type SoldKind,
  soldInSql,
  WARN_PERCENT,
} from './account-limits.js';
export { AccountRecovery } from './account-recovery.js';
export { MAX_BACKUPS, MAX_MONITORS, checkHostPassword, isPackage } from './account-rules.js';
export { AccountStore } from './account-store.js';
export { AccountGrace } from './account-grace.js';
export { DeletionCap, type DeletionState, JOB_SOURCE } from './deletion-cap.js';
export { type Deletion, KeptSites } from './kept-sites.js';
export type { Terms, TermsChange } from './account-terms.js';
export type { OwnPassword } from './account-passwords.js';
export { LifeCycleService } from './life-cycle.service.js';
export { PASSWORD_HASHING } from './password-hashing.js';
export { type AccountTelling, PauseReasons } from './pause-reasons.js';
export { type Provisioned, ProvisioningService } from './provisioning.service.js';
export { type AccountGuard, ReconciledChanges } from './reconciled-changes.js';
export { SiteSwitchService } from './site-switch.service.js';
export { checkAllowed, PAUSE_REASON } from './state-machine.js';
export { ACCOUNT_PROVIDERS } from './providers.js';
