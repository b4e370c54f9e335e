import { CustomerPageOperations } from './customer-pages.operations.js';
import { CustomerStatusPages } from './customer-pages.pages.js';
import { CustomerPageRepository } from './customer-page-repository.js';
import { Incidents } from './incidents.js';
import { PublicStatusController } from './public-status.controller.js';
import { PublicStatus } from './public-status.js';
import { StatusPages } from './status-pages.js';
import { AdminStatusOperations, UserStatusOperations } from './status.operations.js';
import { StatusSettingsPages } from './status.pages.js';

/** Providers of status pages. */
export const STATUS_PROVIDERS = [
  StatusPages,
  CustomerPageRepository,
  Incidents,
  PublicStatus,
  AdminStatusOperations,
  UserStatusOperations,
  CustomerPageOperations,
];

/** Controllers of status pages. */
export const STATUS_CONTROLLERS = [StatusSettingsPages, CustomerStatusPages, PublicStatusController];
