import type { CallContext } from '@svc/sdk';

import { FIELDS, RESOURCES, amountsOf, type Amounts } from './amounts.js';

/** Text keys of what is wrong, by field. */
export type Problems = Readonly<Record<string, string>>;
type Fields = CallContext['body'];

/** Largest amount: nine digits. */
const AMOUNT = /^\d{1,9}$/;

/** A whole number of a field; 0 for what is empty, null for what is none. */
export function amountOf(text: string | undefined): number | null {
  const trimmed = (text ?? '').trim();
  if (trimmed === '') return 0;
  return AMOUNT.test(trimmed) ? Number(trimmed) : null;
}

/** The amounts of a form, and what is wrong with them. */
export function readAmounts(fields: Fields): { amounts: Amounts; problems: Problems } {
  const wrong = RESOURCES.filter((resource) => amountOf(fields[FIELDS[resource]]) === null);
  return {
    amounts: amountsOf((resource) => amountOf(fields[FIELDS[resource]]) ?? 0),
    problems: Object.fromEntries(wrong.map((resource) => [FIELDS[resource], 'field_amount'])),
  };
}

/** A day as it is kept: empty for none (`0` and `0000-00-00` too), null for what is no day. */
export function dayOf(text: string | undefined): string | null {
  const trimmed = (text ?? '').trim();
  if (['', '0', '0000-00-00'].includes(trimmed)) return '';
  if (!/^\d{4}-\d{2}-\d{2}$/.test(trimmed)) return null;
  const day = new Date(`${trimmed}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(trimmed) ? trimmed : null;
}

/** An id of a field; 0 for what is none. */
export const idOf = (text: string | undefined): number => (/^[1-9]\d{0,8}$/.test(text ?? '') ? Number(text) : 0);

/** Texts of a field that came as a JSON list, as `name[]` does, or with commas; null for what is neither. */
export function listOf(text: string | undefined): string[] | null {
  const trimmed = (text ?? '').trim();
  if (!trimmed.startsWith('['))
    return trimmed
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  try {
    const list: unknown = JSON.parse(trimmed);
    return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list.filter((one) => one !== '') : null;
  } catch {
    return null;
  }
}

/** Whether a password may be one of a sub-reseller: 8 to 64 characters without control characters. */
export const isPassword = (password: string): boolean => /^[^\p{Cc}\uFFFD]{8,64}$/u.test(password);
