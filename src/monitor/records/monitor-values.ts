import { domainToASCII } from 'node:url';

import type { Secrets } from '../../config/index.js';
import {
  ASKED_EVERY_MS,
  RESOURCES,
  SERVER_RESOURCES,
  fitsRule,
  isPublicName,
  parseHostPort,
  readHeaders,
  registeredPart,
  sealHeaders,
} from '../checks/index.js';
import type { MonitorKind, MonitorTask } from '../entities/index.js';
import { MonitorError } from '../errors.js';
import { tagsOf } from '../states/windows.js';

import type { SaveMonitorInput } from './monitor-form.js';

/** User-defined values of a monitor. */
export type MonitorValues = Pick<
  MonitorTask,
  | 'name'
  | 'type'
  | 'url'
  | 'resource'
  | 'resourceThreshold'
  | 'method'
  | 'headers'
  | 'recordType'
  | 'warnDays'
  | 'intervalSeconds'
  | 'timeoutSeconds'
  | 'statusRule'
  | 'statusValue'
  | 'contentRule'
  | 'contentValue'
  | 'failThreshold'
  | 'recoveryThreshold'
  | 'retrySeconds'
  | 'repeatEvery'
  | 'upsideDown'
  | 'tags'
  | 'notifyByEmail'
  | 'enabled'
>;

/** Defaults of a new monitor. */
export const PLAIN: MonitorValues = {
  name: '',
  type: 'url',
  url: '',
  resource: '',
  resourceThreshold: 80,
  method: 'GET',
  headers: null,
  recordType: 'A',
  warnDays: 14,
  intervalSeconds: 60,
  timeoutSeconds: 10,
  statusRule: 'eq',
  statusValue: '200',
  contentRule: 'none',
  contentValue: '',
  failThreshold: 1,
  recoveryThreshold: 1,
  retrySeconds: 0,
  repeatEvery: 0,
  upsideDown: false,
  tags: '',
  notifyByEmail: true,
  enabled: true,
};

/** Check interval of resource monitors in seconds; the panel does not measure usage more often. */
const RESOURCE_INTERVAL = 180;
/** Minimum check interval of certificates in seconds. */
const MIN_CERTIFICATE_INTERVAL = 300;
/** Check interval of domains in seconds: a minute longer than the registry's query limit, because a check can be slightly late. */
const DOMAIN_INTERVAL = ASKED_EVERY_MS / 1_000 + 60;
/** Default warning time of domains in days; renewing one can take longer than a certificate. */
export const DEFAULT_DOMAIN_WARNING = 30;
/** Default check interval of certificates in forms, in seconds. */
export const DEFAULT_CERTIFICATE_INTERVAL = 3_600;

/**
 * Returns the values of a monitor after its form was submitted.
 *
 * @param before its present values; null for a new monitor
 * @throws MonitorError naming the invalid field
 */
export function valuesOf(input: SaveMonitorInput, before: MonitorValues | null, secrets: Secrets): MonitorValues {
  const type = input.task_type ?? before?.type ?? 'url';
  // After a change of kind other values are dropped, because an address has another meaning.
  const old =
    before?.type === type
      ? before
      : {
          ...PLAIN,
          name: before?.name ?? '',
          tags: before?.tags ?? '',
          notifyByEmail: before?.notifyByEmail ?? true,
          enabled: before?.enabled ?? true,
        };
  const common: MonitorValues = {
    ...PLAIN,
    type,
    name: input.name ?? old.name,
    intervalSeconds: input.interval_seconds ?? old.intervalSeconds,
    timeoutSeconds: input.timeout_seconds ?? old.timeoutSeconds,
    failThreshold: input.fail_threshold ?? old.failThreshold,
    recoveryThreshold: input.hf_yz ?? old.recoveryThreshold,
    retrySeconds: input.cs_jg ?? old.retrySeconds,
    repeatEvery: input.cf_jg ?? old.repeatEvery,
    upsideDown: input.upside_down ?? old.upsideDown,
    tags: tagsOf(input.tags ?? old.tags).join(','),
    notifyByEmail: input.notify_email ?? old.notifyByEmail,
    enabled: input.enabled ?? old.enabled,
  };
  if (common.name === '') throw new MonitorError('NAME_MISSING', {}, { name: 'monitor.name_missing' });
  if (common.retrySeconds > 0 && common.retrySeconds < 5) throw wrong('cs_jg', 'monitor.field.retry');
  return { ...common, ...OF_KIND[type](input, old, secrets) };
}

type KindValues = (input: SaveMonitorInput, old: MonitorValues, secrets: Secrets) => Partial<MonitorValues>;

const OF_KIND: Readonly<Record<MonitorKind, KindValues>> = {
  url: (input, old, secrets) => {
    const url = addressOf(input, old);
    const target = URL.canParse(url) ? new URL(url) : null;
    if (!target || !/^https?:$/.test(target.protocol)) throw new MonitorError('URL_REFUSED', {}, { url: 'monitor.url_refused' });
    if (target.username || target.password) throw wrong('url', 'monitor.field.credentials');
    const statusRule = input.status_rule ?? old.statusRule;
    const statusValue = input.status_value || old.statusValue;
    if (!fitsRule(statusRule, statusValue)) throw wrong('status_value', 'monitor.field.status_value');
    return {
      url,
      method: input.method ?? old.method,
      headers: headersOf(input, old, secrets, target.origin),
      statusRule,
      statusValue,
      ...contentOf(input, old),
    };
  },
  tcp: (input, old) => {
    const url = addressOf(input, old);
    if (!parseHostPort(url)) throw wrong('url', 'monitor.field.place');
    return { url };
  },
  dns: (input, old) => {
    const url = addressOf(input, old).toLowerCase();
    if (!isPublicName(url)) throw wrong('url', 'monitor.field.domain');
    const content = contentOf(input, old);
    if (content.contentRule === 'json') throw wrong('content_rule', 'monitor.field.record_rule');
    return { url, recordType: input.record_type ?? old.recordType, ...content };
  },
  cert: (input, old) => {
    const url = addressOf(input, old);
    if (!parseHostPort(url, 443)) throw wrong('url', 'monitor.field.cert_place');
    const given = input.interval_seconds ?? (old.url === '' ? DEFAULT_CERTIFICATE_INTERVAL : old.intervalSeconds);
    return { url, warnDays: input.warn_days ?? old.warnDays, intervalSeconds: Math.max(MIN_CERTIFICATE_INTERVAL, given) };
  },
  domain: (input, old) => {
    const url = domainToASCII(addressOf(input, old).replace(/\.$/, ''));
    if (!isPublicName(url) || registeredPart(url) === null) throw wrong('url', 'monitor.field.registered');
    const warnDays = input.warn_days ?? (old.url === '' ? DEFAULT_DOMAIN_WARNING : old.warnDays);
    return { url, warnDays, intervalSeconds: DOMAIN_INTERVAL, timeoutSeconds: 10, failThreshold: 1, retrySeconds: 0 };
  },
  push: () => ({}),
  resource: (input, old) => {
    const resource = input.resource_type || old.resource;
    if (!(RESOURCES as readonly string[]).includes(resource))
      throw new MonitorError('RESOURCE_MISSING', {}, { resource_type: 'monitor.resource_missing' });
    const resourceThreshold = input.resource_threshold ?? old.resourceThreshold;
    return { resource, resourceThreshold, intervalSeconds: RESOURCE_INTERVAL, timeoutSeconds: 10, failThreshold: 1, retrySeconds: 0 };
  },
  server: (input, old) => {
    const url = input.url ?? old.url;
    if (url === '') throw wrong('url', 'monitor.field.agent');
    const resource = input.resource_type || old.resource || 'heartbeat';
    if (!(SERVER_RESOURCES as readonly string[]).includes(resource))
      throw new MonitorError('RESOURCE_MISSING', {}, { resource_type: 'monitor.resource_missing' });
    return { url, resource, resourceThreshold: input.resource_threshold ?? old.resourceThreshold };
  },
};

const wrong = (field: string, key: string): MonitorError => new MonitorError('FIELD_WRONG', {}, { [field]: key });

function addressOf(input: SaveMonitorInput, old: MonitorValues): string {
  const url = input.url ?? old.url;
  if (url === '') throw new MonitorError('URL_MISSING', {}, { url: 'monitor.url_missing' });
  return url;
}

function contentOf(input: SaveMonitorInput, old: MonitorValues): Pick<MonitorValues, 'contentRule' | 'contentValue'> {
  const contentRule = input.content_rule ?? old.contentRule;
  const contentValue = input.content_value ?? old.contentValue ?? '';
  if (contentRule !== 'none' && contentValue.trim() === '') throw wrong('content_value', 'monitor.field.content_value');
  return { contentRule, contentValue: contentRule === 'none' ? '' : contentValue };
}

/** Hidden headers are kept only for the origin they were entered for: otherwise, changing the address would reveal them. */
function headersOf({ headers = '', headers_clear }: SaveMonitorInput, old: MonitorValues, secrets: Secrets, origin: string): string | null {
  if (headers.trim() === '') {
    if (headers_clear || old.headers === null) return null;
    if (new URL(old.url).origin !== origin) throw wrong('headers', 'monitor.field.headers_again');
    return old.headers;
  }
  const read = readHeaders(headers);
  if (!read) throw wrong('headers', 'monitor.field.headers');
  return sealHeaders(secrets, read);
}
