import { AccountChanges } from './account-changes.js';
import { AccountDrivers } from './account-driver.js';
import { AccountGrace } from './account-grace.js';
import { AccountHolds } from './account-holds.js';
import { AccountPasswords } from './account-passwords.js';
import { AccountReconciler } from './account-reconciler.js';
import { AccountRecovery } from './account-recovery.js';
import { AccountStore } from './account-store.js';
import { AccountTermination } from './account-termination.js';
import { AccountTerms } from './account-terms.js';
import { DeletionCap } from './deletion-cap.js';
import { HostHistoryRepository } from './host-history-repository.js';
import { KeptSites } from './kept-sites.js';
import { LifeCycleService } from './life-cycle.service.js';
import { PauseReasons } from './pause-reasons.js';
import { ProvisioningService } from './provisioning.service.js';
import { ReconciledChanges } from './reconciled-changes.js';
import { SiteSwitchService } from './site-switch.service.js';

/** Providers for accounts: their rows, their life cycle and the recovery after crashes. */
export const ACCOUNT_PROVIDERS = [
  AccountStore,
  KeptSites,
  DeletionCap,
  HostHistoryRepository,
  AccountChanges,
  AccountDrivers,
  AccountReconciler,
  AccountRecovery,
  ReconciledChanges,
  PauseReasons,
  AccountHolds,
  AccountGrace,
  AccountPasswords,
  AccountTermination,
  AccountTerms,
  LifeCycleService,
  SiteSwitchService,
  ProvisioningService,
];
