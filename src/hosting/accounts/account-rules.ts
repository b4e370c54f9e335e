import { isEmail } from 'class-validator';

import { isDay } from '../../common/index.js';
import type { HostQuota, ProvisionRequest } from '../../sdk/index.js';
import { dayAfter, MAX_GRACE_DAYS } from '../calendar.js';
import { HostingError } from '../hosting-errors.js';

/** Dots are allowed because billing modules send a product's domain as the name. Source: docs/panel-api.md "Provisioning API". */
const USER = /^(?=.{6,64}$)[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*$/;
/** U+FFFD stands for bytes that were not UTF-8, so such a password could not be typed again. */
const PASSWORD = /^[^\p{Cc}\uFFFD]{6,64}$/u;
const REASON = /^[a-z0-9._-]{1,32}$/;
const MAX_QUOTA = 2_000_000_000;
/** Maximum number of monitors per account. */
export const MAX_MONITORS = 1_000;
/** Maximum number of site backups per account. */
export const MAX_BACKUPS = 100;
const QUOTA_FIELDS = ['webMb', 'databaseMb', 'trafficGb', 'domains'] as const;

function invalid(fields: Record<string, string>): HostingError {
  return new HostingError('INVALID_INPUT', {}, fields);
}

const isUpTo = (value: number, max: number): boolean => Number.isInteger(value) && value >= 0 && value <= max;

/** Null means the default of the installation. */
const isCount = (value: number | null | undefined, max: number): boolean => value === undefined || value === null || isUpTo(value, max);

/** Range of days an expired host is kept before it is deleted; 0 is also allowed. */
export const KEEP_DAYS = { least: 3, most: 3_650 };

const isKeep = (value: number | null | undefined): boolean =>
  isCount(value, KEEP_DAYS.most) && (value === undefined || value === null || value === 0 || value >= KEEP_DAYS.least);

function quotaProblems(quota: HostQuota): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const field of QUOTA_FIELDS) {
    const value = quota[field];
    if (value === undefined) continue;
    if (!isUpTo(value, MAX_QUOTA)) problems[field] = 'hosting.field_quota';
  }
  const { monitors, backups } = quota;
  if (!isCount(monitors, MAX_MONITORS)) problems.monitors = 'hosting.field_monitors';
  if (!isCount(backups, MAX_BACKUPS)) problems.backups = 'hosting.field_backups';
  return problems;
}

const tooShort = (fields: readonly string[]): HostingError =>
  new HostingError('CREDENTIALS_TOO_SHORT', {}, Object.fromEntries(fields.map((field) => [field, 'hosting.credentials_too_short'])));

/** @throws HostingError CREDENTIALS_TOO_SHORT, or INVALID_INPUT naming every field that is wrong */
export function checkProvisionRequest(request: ProvisionRequest): void {
  const { user, password, expiresOn, idempotencyKey } = request;
  const short = Object.entries({ user, password }).filter(([, text]) => String(text ?? '').length < 6);
  if (short.length > 0) throw tooShort(short.map(([field]) => field));
  const fields: Record<string, string> = quotaProblems(request);
  if (!USER.test(user)) fields.user = 'hosting.field_user';
  if (!PASSWORD.test(password)) fields.password = 'hosting.field_password';
  if (expiresOn !== null && !isDay(expiresOn)) fields.expiresOn = 'hosting.field_date';
  if (!isCount(request.graceDays, MAX_GRACE_DAYS)) fields.graceDays = 'hosting.field_grace';
  if (!isKeep(request.keepDays)) fields.keepDays = 'hosting.field_keep';
  if (request.package !== undefined && !isPackage(request.package)) fields.package = 'hosting.field_package';
  if (idempotencyKey !== undefined && !/^.{1,128}$/su.test(idempotencyKey)) {
    fields.idempotencyKey = 'hosting.field_request_key';
  }
  if (request.email !== undefined && (request.email.length > 254 || !isEmail(request.email))) fields.email = 'hosting.field_email';
  if (Object.keys(fields).length) throw invalid(fields);
}

/** @throws HostingError INVALID_INPUT */
export function checkHostPassword(password: string): void {
  if (password.length < 6) throw tooShort(['password']);
  if (!PASSWORD.test(password)) throw invalid({ password: 'hosting.field_password' });
}

/** @throws HostingError INVALID_INPUT */
export function checkDay(expiresOn: string | null): void {
  if (expiresOn !== null && !isDay(expiresOn)) throw invalid({ expiresOn: 'hosting.field_date' });
}

/** Returns whether `day` is a date from `today` on, at most `maxDays` days ahead. */
export function isDayWithin(day: string, today: string, maxDays: number): boolean {
  return isDay(day) && day >= today && day <= dayAfter(today, maxDays);
}

/** @throws HostingError INVALID_INPUT */
export function checkQuota(quota: HostQuota): void {
  const problems = quotaProblems(quota);
  if (Object.keys(problems).length) throw invalid(problems);
}

/** Keys of packages: the slug of the seller, a colon, and the seller's own key. */
const PACKAGE = /^[a-z][a-z0-9_]{0,63}:[\x21-\x7e]{1,120}$/;

/** Returns whether `key` has the form of a package key. */
export function isPackage(key: unknown): key is string {
  return typeof key === 'string' && PACKAGE.test(key);
}

/** @throws HostingError INVALID_INPUT */
export function checkPackage(key: string | null): void {
  if (key !== null && !isPackage(key)) throw invalid({ package: 'hosting.field_package' });
}

/** @throws HostingError INVALID_INPUT */
export function checkReason(reason: string): void {
  if (!REASON.test(reason)) throw invalid({ reason: 'hosting.field_reason' });
}
