import { CertificateCheck } from './certificate-check.js';
import { Checks } from './checks.js';
import { DnsCheck } from './dns-check.js';
import { DomainExpiryCheck } from './domain-expiry-check.js';
import { MonitorProbe } from './monitor-probe.js';
import { PushCheck } from './push-check.js';
import { Rdap } from './rdap.js';
import { ResourceCheck } from './resource-check.js';
import { ServerCheck } from './server-check.js';
import { TcpCheck } from './tcp-check.js';
import { UrlCheck } from './url-check.js';

export { Checks } from './checks.js';
export { RECORD_TYPES } from './dns-check.js';
export { ASKED_EVERY_MS, registeredPart } from './domain-expiry-check.js';
export type { CheckOutcome } from './outcome.js';
export { MonitorProbe } from './monitor-probe.js';
export { hostOfTarget, isPublicName, parseHostPort } from './targets.js';
export { RESOURCES, ResourceCheck, type Resource } from './resource-check.js';
export { CONTENT_RULES, STATUS_RULES, fitsRule, statusRuleOf } from './rules.js';
export { readHeaders, sealHeaders } from './sealed-headers.js';
export { SERVER_RESOURCES } from './server-check.js';

/** Providers of all checks. */
export const CHECK_PROVIDERS = [
  MonitorProbe,
  UrlCheck,
  TcpCheck,
  DnsCheck,
  CertificateCheck,
  Rdap,
  DomainExpiryCheck,
  PushCheck,
  ResourceCheck,
  ServerCheck,
  Checks,
];
