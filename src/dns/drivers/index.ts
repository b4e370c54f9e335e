import { aliyun } from './aliyun.js';
import { cloudflare } from './cloudflare.js';
import type { DnsDriver } from './dns-driver.js';
import { dnspod } from './dnspod.js';
import { powerdns } from './powerdns.js';
import { tencent } from './tencent.js';

export { aliyunSignature } from './aliyun-signature.js';
export { tc3Authorization } from './tc3-signature.js';
export { type DnsCall, type DnsDriver, MAX_RECORDS, MAX_ZONES_SHOWN } from './dns-driver.js';

/** Built-in kinds, in the order they are offered. */
export const OWN_DRIVERS: readonly DnsDriver[] = [cloudflare, dnspod, tencent, aliyun, powerdns];
