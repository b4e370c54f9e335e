import type { CallContext } from '@svc/sdk';

import { FIELDS, UNITS, type Resource } from './amounts.js';

/** Error codes; each has a text `refused_…` in the language files. */
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

/** An insufficient quota. */
export interface Shortage {
  readonly resource: Resource;
  readonly quota: number;
  /** Negative if the quota is exceeded, -Infinity if a host is unlimited. */
  readonly left: number;
}

/** An expected error of a pool operation. */
export class PoolRefusal extends Error {
  /** Form fields concerned; those of shortages are implied. */
  readonly fields: readonly string[];

  constructor(
    readonly code: RefusalCode,
    field: string | readonly string[] = [],
    readonly params: Readonly<Record<string, string | number>> = {},
    readonly shortages: readonly Shortage[] = [],
  ) {
    super(code);
    this.fields = typeof field === 'string' ? [field] : field;
  }
}

/** Several errors of one form. */
export class PoolRefusals extends Error {
  constructor(readonly refusals: readonly PoolRefusal[]) {
    super(refusals.map(({ code }) => code).join(', '));
  }
}

/** @throws PoolRefusal; PoolRefusals for several */
export function refuseFor(found: readonly (PoolRefusal | null)[]): void {
  const refusals = found.filter((one) => one !== null);
  if (refusals.length > 1) throw new PoolRefusals(refusals);
  if (refusals[0]) throw refusals[0];
}

/** Whether the panel itself rejected the request: its message is meant for users. */
function isPanelRefusal(error: unknown): error is Error & { code: string; field: string } {
  return error instanceof Error && 'code' in error && 'field' in error && /^[A-Z][A-Z_]+$/.test(String(error.code));
}

/** Names of the panel's fields in the plugin's forms. */
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

/** Error messages, overall and by field. */
export interface RefusedWords {
  readonly text: string;
  /** Messages by field. */
  readonly fields: Readonly<Record<string, string>>;
}

/** @throws any other error */
export function refusedWords(error: unknown, ctx: Pick<CallContext, 't'>): RefusedWords {
  if (error instanceof PoolRefusal) return wordsOf(error, ctx);
  if (error instanceof PoolRefusals) {
    const messages = error.refusals.map((one) => wordsOf(one, ctx));
    return { text: messages.map(({ text }) => text).join(' '), fields: Object.assign({}, ...messages.map(({ fields }) => fields)) };
  }
  if (!isPanelRefusal(error)) throw error;
  const field = PANEL_FIELDS[error.field];
  return { text: error.message, fields: field ? { [field]: error.message } : {} };
}

function wordsOf({ code, fields, params, shortages }: PoolRefusal, { t }: Pick<CallContext, 't'>): RefusedWords {
  const why = t(`refused_${code}`, params);
  const short = shortages.map(({ resource, quota, left }): [field: string, words: string] => [
    FIELDS[resource],
    t(left > 0 ? 'short_of' : 'none_left', { what: t(resource), quota, left, unit: UNITS[resource] }),
  ]);
  return {
    text: [why, ...short.map(([, words]) => words)].join(' '),
    fields: Object.fromEntries([...fields.map((field) => [field, why]), ...short.map(([field, words]) => [field, `${why} ${words}`])]),
  };
}
