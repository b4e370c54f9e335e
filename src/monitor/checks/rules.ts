/** Comparisons of a status with a value. */
export const STATUS_RULES = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'not_in', 'range'] as const;

/** One of {@link STATUS_RULES}. */
export type StatusRule = (typeof STATUS_RULES)[number];

/** Alternative spellings sent by clients. */
const SPELLINGS: Readonly<Record<string, StatusRule>> = { ne: 'neq', not_eq: 'neq', ge: 'gte', le: 'lte' };

/** Conditions on a body. */
export const CONTENT_RULES = ['none', 'contains', 'not_contains', 'json'] as const;

/** Normalizes the name of a rule; unknown names stay unchanged. */
export const statusRuleOf = (name: string): string => SPELLINGS[name] ?? name;

const LIST = /^\d{1,3}(\s*[,，]\s*\d{1,3})*$/;
const RANGE = /^(\d{1,3})\s*-\s*(\d{1,3})$/;

/** Whether a value is valid for a rule. */
export function fitsRule(rule: string, value: string): boolean {
  const given = value.trim();
  if (rule === 'in' || rule === 'not_in') return LIST.test(given);
  if (rule === 'range') {
    const [, min, max] = RANGE.exec(given) ?? [];
    return Number(min) <= Number(max);
  }
  return /^\d{1,3}$/.test(given);
}

/** Whether a status matches a rule; unknown rules never match. Source: spec of monitors, "Rules". */
export function matchesStatus(rule: string, value: string, status: number): boolean {
  const number = Number(value);
  switch (statusRuleOf(rule)) {
    case 'eq':
      return status === number;
    case 'neq':
      return status !== number;
    case 'gt':
      return status > number;
    case 'gte':
      return status >= number;
    case 'lt':
      return status < number;
    case 'lte':
      return status <= number;
    case 'in':
      return numbersOf(value).includes(status);
    case 'not_in':
      return !numbersOf(value).includes(status);
    case 'range': {
      const [, min, max] = RANGE.exec(value.trim()) ?? [];
      return status >= Number(min) && status <= Number(max);
    }
    default:
      return false;
  }
}

/**
 * Whether a body matches a rule. `json` takes a dotted path (numbers for list indexes) and an expected value: `data.status=ok`; a path
 * alone must exist.
 */
export function matchesContent(rule: string, value: string, body: string): boolean {
  switch (rule) {
    case 'none':
      return true;
    case 'contains':
      return body.includes(value);
    case 'not_contains':
      return !body.includes(value);
    case 'json':
      return matchesJson(value, body);
    default:
      return false;
  }
}

function matchesJson(value: string, body: string): boolean {
  const at = value.indexOf('=');
  const path = (at < 0 ? value : value.slice(0, at)).trim();
  let found: unknown;
  try {
    found = JSON.parse(body);
  } catch {
    return false;
  }
  for (const name of path.split('.')) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, name)) return false;
    found = (found as Record<string, unknown>)[name];
  }
  if (at < 0) return true;
  return (typeof found === 'string' ? found : JSON.stringify(found)) === value.slice(at + 1).trim();
}

const numbersOf = (list: string): number[] => list.split(/[,，]/).map(Number);
