import './texts.js';

export { DnsKinds } from './dns-kinds.js';
export { DnsModule } from './dns.module.js';
export { DnsProblem } from './dns-problem.js';
export * from './entities/index.js';
export { type DnsCallGuard, pluginDnsDriver } from './plugin-dns-driver.js';
