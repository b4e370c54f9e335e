export { DnsEntry, type EntryState, type EntryType, type OwnRecord } from './dns-entry.entity.js';
export { DnsProvider } from './dns-provider.entity.js';
