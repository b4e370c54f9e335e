export { DomainBook } from './domain-book.js';
export { DomainCheck, type DomainCheckResult, type DomainTarget } from './domain-check.js';
export { DomainProof } from './domain-proof.js';
export { DomainRecords, type RecordLookup } from './domain-records.js';
export { AdminDomainOperations, UserDomainOperations } from './domain.operations.js';
export { DomainPages } from './domain.pages.js';
export { type DomainName, readDomain } from './domain-name.js';
export { readFolder, SiteDomains } from './site-domains.js';
export { ZoneClaims } from './zone-claims.js';
