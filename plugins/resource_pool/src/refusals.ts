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
  /** Fields of the form it is about; those of shortages go without saying. */
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

/** Several of them, of one form. */
export class PoolRefusals extends Error {
  constructor(readonly refusals: readonly PoolRefusal[]) {
    super(refusals.map(({ code }) => code).join(', '));
  }
}

/** @throws PoolRefusal; PoolRefusals where there are several */
export function refuseFor(found: readonly (PoolRefusal | null)[]): void {
  const refusals = found.filter((one) => one !== null);
  if (refusals.length > 1) throw new PoolRefusals(refusals);
  if (refusals[0]) throw refusals[0];
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

/** Why something was refused, in words. */
export interface RefusedWords {
  readonly text: string;
  /** What is wrong with each field it is about. */
  readonly fields: Readonly<Record<string, string>>;
}

/** @throws what is no refusal */
export function refusedWords(error: unknown, ctx: Pick<CallContext, 't'>): RefusedWords {
  if (error instanceof PoolRefusal) return wordsOf(error, ctx);
  if (error instanceof PoolRefusals) {
    const told = error.refusals.map((one) => wordsOf(one, ctx));
    return { text: told.map(({ text }) => text).join(' '), fields: Object.assign({}, ...told.map(({ fields }) => fields)) };
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
