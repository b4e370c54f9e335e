import type { CallContext } from '@svc/sdk';

import { FIELDS, UNITS, type Resource } from './amounts.js';

/** Why something was refused; each has words in the language files, `refused_…`. */
export type RefusalCode =
  | 'POOL_MISSING'
  | 'POOL_OFF'
  | 'POOL_OVER'
  | 'POOL_BUSY'
  | 'NODE'
  | 'NO_ROOM'
  | 'LAST_DAY'
  | 'HOST_MISSING'
  | 'HOST_BOUND'
  | 'HOST_BUSY'
  | 'HOST_ELSEWHERE'
  | 'REQUEST_USED'
  | 'OPENING'
  | 'NAME_TAKEN'
  | 'AMOUNT'
  | 'CONFIRM';

/** What of a quota is not enough. */
export interface Shortage {
  readonly resource: Resource;
  readonly quota: number;
  /** Negative where the pool is overdrawn, -Infinity where a host of it has no limit. */
  readonly left: number;
}

/** Something that somebody wants of a pool and does not get. */
export class PoolRefusal extends Error {
  /** @param field of the form it is about */
  constructor(
    readonly code: RefusalCode,
    readonly field = '',
    readonly params: Readonly<Record<string, string | number>> = {},
    readonly shortages: readonly Shortage[] = [],
  ) {
    super(code);
  }
}

/** What the panel itself said no to: its words are for people. */
function isPanelRefusal(error: unknown): error is Error & { code: string; field: string } {
  return error instanceof Error && 'code' in error && 'field' in error && /^[A-Z][A-Z_]+$/.test(String(error.code));
}

/** Names of fields of the panel as forms of the plugin have them. */
const PANEL_FIELDS: Readonly<Record<string, string>> = {
  user: 'host_user',
  password: 'host_pass',
  expiresOn: 'expire_date',
  webMb: 'web_space',
  databaseMb: 'sql_space',
  trafficGb: 'flow',
  domains: 'domain_count',
  node: 'node',
};

/** Why, and by which field; both for people. @throws what is no refusal */
export function refusedWords(error: unknown, { t }: Pick<CallContext, 't'>): { text: string; field: string } {
  if (error instanceof PoolRefusal) {
    const short = error.shortages.map(({ resource, quota, left }) =>
      t(left > 0 ? 'short_of' : 'none_left', { what: t(resource), quota, left, unit: UNITS[resource] }),
    );
    const [first] = error.shortages;
    const field = error.field || (first ? FIELDS[first.resource] : '');
    return { text: [t(`refused_${error.code}`, error.params), ...short].join(' '), field };
  }
  if (isPanelRefusal(error)) return { text: error.message, field: PANEL_FIELDS[error.field] ?? '' };
  throw error;
}
