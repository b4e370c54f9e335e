import type { CallContext } from '@svc/sdk';

import { FIELDS, RESOURCES, amountsOf, type Amounts } from './amounts.js';

/** Text keys of errors, by field. */
export type Problems = Readonly<Record<string, string>>;
type Fields = CallContext['body'];

/** Largest amount: nine digits. */
const AMOUNT = /^\d{1,9}$/;

/** Parses a whole number; 0 if empty, null if invalid. */
export function amountOf(text: string | undefined): number | null {
  const trimmed = (text ?? '').trim();
  if (trimmed === '') return 0;
  return AMOUNT.test(trimmed) ? Number(trimmed) : null;
}

/** Reads the amounts of a form, and their errors. */
export function readAmounts(fields: Fields): { amounts: Amounts; problems: Problems } {
  const wrong = RESOURCES.filter((resource) => amountOf(fields[FIELDS[resource]]) === null);
  return {
    amounts: amountsOf((resource) => amountOf(fields[FIELDS[resource]]) ?? 0),
    problems: Object.fromEntries(wrong.map((resource) => [FIELDS[resource], 'field_amount'])),
  };
}

/** Normalizes a day: empty for none (also `0` and `0000-00-00`), null if invalid. */
export function dayOf(text: string | undefined): string | null {
  const trimmed = (text ?? '').trim();
  if (['', '0', '0000-00-00'].includes(trimmed)) return '';
  if (!/^\d{4}-\d{2}-\d{2}$/.test(trimmed)) return null;
  const day = new Date(`${trimmed}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(trimmed) ? trimmed : null;
}

/** Parses an id; 0 if invalid. */
export const idOf = (text: string | undefined): number => (/^[1-9]\d{0,8}$/.test(text ?? '') ? Number(text) : 0);

/** Parses a list of texts, as JSON (from `name[]`) or comma-separated; null if invalid. */
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

/** Whether a password is allowed for a sub-reseller: 8 to 64 characters without control characters. */
export const isPassword = (password: string): boolean => /^[^\p{Cc}\uFFFD]{8,64}$/u.test(password);
