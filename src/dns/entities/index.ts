export { DnsEntry, type EntryState, type EntryType, type OwnRecord, valueOf } from './dns-entry.entity.js';
export { DnsProvider } from './dns-provider.entity.js';
export { isOwnType, OWN_TYPES, OwnDnsRecord, type OwnType } from './own-dns-record.entity.js';
