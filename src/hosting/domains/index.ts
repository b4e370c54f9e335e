export { DomainRepository } from './domain-repository.js';
export { DomainCheck, type DomainCheckResult, type DomainTarget } from './domain-check.js';
export { DomainProof } from './domain-proof.js';
export { DomainRecords } from './domain-records.js';
export { DomainError, isElsewhere, serverDomainError } from './domain-errors.js';
export { DomainPages } from './domain.pages.js';
export { isLabel, readDomain } from './domain-name.js';
export { readFolder, SiteDomains } from './site-domains.js';
export { DOMAIN_PROVIDERS } from './providers.js';
