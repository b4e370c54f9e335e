export { DomainBook } from './domain-book.js';
export { DomainCheck } from './domain-check.js';
export { DomainProof } from './domain-proof.js';
export { DomainRecords, type RecordLookup } from './domain-records.js';
export { AdminDomainOperations, UserDomainOperations } from './domain.operations.js';
export { DomainPages } from './domain.pages.js';
export { SiteDomains } from './site-domains.js';
