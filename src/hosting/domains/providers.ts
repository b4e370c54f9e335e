import { DomainRepository } from './domain-repository.js';
import { DomainCheck } from './domain-check.js';
import { DomainProof } from './domain-proof.js';
import { DomainRecords } from './domain-records.js';
import { AdminDomainOperations, UserDomainOperations } from './domain.operations.js';
import { SiteDomains } from './site-domains.js';
import { ZoneClaims } from './zone-claims.js';

/** Providers for the domains of sites. */
export const DOMAIN_PROVIDERS = [
  DomainRepository,
  DomainRecords,
  DomainCheck,
  DomainProof,
  ZoneClaims,
  SiteDomains,
  AdminDomainOperations,
  UserDomainOperations,
];
