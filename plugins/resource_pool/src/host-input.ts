import type { CallContext, FormValues, HostRecord } from '@svc/sdk';

import { FIELDS, RESOURCES, type Amounts } from './amounts.js';
import { amountOf, dayOf, readAmounts, type Problems } from './form-fields.js';

/** Values of `host_status` sent by clients of this panel family. */
const STATES = ['', 'true', 'false', '1', '0', 'active', 'paused'];
const PAUSED = new Set(['false', '0', 'paused']);

/** A host to open. */
export interface HostWish {
  readonly node: string;
  readonly user: string;
  readonly password: string;
  readonly limits: Amounts & { readonly domains: number };
  /** Expiry date; null for none. */
  readonly expiresOn: string | null;
  readonly startsPaused: boolean;
  /** Idempotency id that identifies a retry; empty for none. */
  readonly request: string;
}

/** Form values of a host's limits. */
export const limitsForm = (host: HostRecord): FormValues => ({
  ...Object.fromEntries(RESOURCES.map((resource) => [FIELDS[resource], host[resource]])),
  domain_count: host.domains,
});

/** Form value of a host's expiry date. */
export const lastDayForm = ({ expiresOn }: HostRecord): FormValues => ({ expire_date: expiresOn ?? '' });

/** Reads a host's limits from a form. */
export function readLimits({ body }: Pick<CallContext, 'body'>): { limits: HostWish['limits']; problems: Problems } {
  const { amounts, problems } = readAmounts(body);
  const domains = amountOf(body.domain_count);
  return {
    limits: { webMb: amounts.webMb, databaseMb: amounts.databaseMb, trafficGb: amounts.trafficGb, domains: domains ?? 0 },
    problems: { ...problems, ...(domains === null && { domain_count: 'field_amount' }) },
  };
}

/** Reads a new host from a form; the panel validates name and password. */
export function readHost(ctx: Pick<CallContext, 'body'>): { wish: HostWish; problems: Problems } {
  const { node = '', host_user = '', host_pass = '', expire_date, host_status = '', request = '' } = ctx.body;
  const { limits, problems } = readLimits(ctx);
  const day = dayOf(expire_date);
  const wish = {
    node,
    user: host_user.trim(),
    password: host_pass,
    limits,
    expiresOn: day || null,
    startsPaused: PAUSED.has(host_status),
    request: /^[A-Za-z0-9-]{1,64}$/.test(request) ? request : '',
  };
  const wrong = {
    ...problems,
    ...(day === null && { expire_date: 'field_day' }),
    ...(!STATES.includes(host_status) && { host_status: 'field_status' }),
    ...(wish.request !== request && { request: 'field_request' }),
  };
  return { wish, problems: wrong };
}
