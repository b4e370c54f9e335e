import './texts.js';

export { DnsKinds } from './dns-kinds.js';
export { DnsModule } from './dns.module.js';
export { sealProviderSettings } from './dns-providers.js';
export * from './entities/index.js';
export { EntryRepository } from './entry-repository.js';
export { pluginDnsDriver } from './plugin-dns-driver.js';
export { readRecordName, readRecordValue } from './record-rules.js';
