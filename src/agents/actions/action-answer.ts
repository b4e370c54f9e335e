import type { DriverResult } from '../../hosting/index.js';
import {
  type ActionBody,
  type ActionFailure,
  type ActionName,
  actionOf,
  type ActionResult,
  type ActionSuccess,
  clip,
  fieldsOf,
  problemText,
} from '../wire/index.js';

const MESSAGE = 500;
const CODE = /^[A-Z][A-Z_]{0,39}$/;
/** Answer of older agents to an unknown kind of task. */
const UNKNOWN_KIND = problemText('kind_unknown', { kind: '' });
const SHA256 = /^[0-9a-f]{64}$/;

/** Result of an action and the description of its body. */
export interface ActionEnd<Name extends ActionName> {
  readonly result: DriverResult<ActionResult<Name>>;
  readonly body: ActionBody | null;
}

/** Parses the report of an action. Servers are not trusted: for a malformed report the outcome is unknown. */
export function readEnd<Name extends ActionName>(
  name: Name,
  { status, result, error }: { status: string; result: string | null; error: string | null },
): ActionEnd<Name> {
  const report = fieldsOf(parsed(result));
  if (status === 'success') return succeeded(name, report);
  if (report.outcome === undefined && error?.startsWith(UNKNOWN_KIND))
    return { result: failed({ outcome: 'refused', code: 'UNKNOWN_ACTION', message: error }), body: null };
  return { result: failed(report), body: null };
}

function succeeded<Name extends ActionName>(name: Name, report: Readonly<Partial<Record<keyof ActionSuccess, unknown>>>): ActionEnd<Name> {
  const { outcome } = report;
  try {
    if (outcome !== 'ok' && outcome !== 'already') throw new Error('no outcome');
    const value = actionOf(name).result.read(report.value, 'value') as ActionResult<Name>;
    return { result: { outcome, value }, body: bodyOf(report.body) };
  } catch (error) {
    return {
      result: { outcome: 'unknown', message: `the agent returned an invalid result of ${name}: ${(error as Error).message}` },
      body: null,
    };
  }
}

function failed(report: Readonly<Partial<Record<keyof ActionFailure, unknown>>>): DriverResult<never> {
  const message = clip(report.message, MESSAGE);
  if (report.outcome === 'not_found') return { outcome: 'not_found' };
  if (report.outcome !== 'refused') return { outcome: 'unknown', message: message || 'the agent does not know the outcome' };
  const code = clip(report.code, 40);
  return CODE.test(code)
    ? { outcome: 'refused', message, problem: { code, params: paramsOf(report.params) } }
    : { outcome: 'refused', message };
}

function paramsOf(value: unknown): Record<string, string | number> {
  const entries = Object.entries(fieldsOf(value)).slice(0, 20);
  return Object.fromEntries(
    entries.flatMap(([key, param]): [string, string | number][] =>
      typeof param === 'number' && Number.isFinite(param) ? [[key, param]] : typeof param === 'string' ? [[key, clip(param, MESSAGE)]] : [],
    ),
  );
}

function bodyOf(value: unknown): ActionBody | null {
  const { bytes, sha256 } = fieldsOf(value);
  return Number.isSafeInteger(bytes) && typeof sha256 === 'string' && SHA256.test(sha256) ? { bytes: bytes as number, sha256 } : null;
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
