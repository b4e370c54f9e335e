import type { AppError } from '../../common/index.js';
import { HostingError } from '../hosting-errors.js';

/** Maps the service's field names to those of the administrators' forms. */
const FORM_NAMES: Readonly<Record<string, string>> = {
  password: 'pass',
  expiresOn: 'datae',
  holdUntil: 'date',
  webMb: 'webkj',
  databaseMb: 'sqlkj',
  trafficGb: 'll',
  domains: 'ymbds',
  monitors: 'jk_max',
  backups: 'bf_max',
  idempotencyKey: 'qqh',
  email: 'mailuser',
};

/** Runs `work`, and renames the fields of its errors to those of the form. */
export async function withFormNames<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HostingError) || !error.fields) throw error;
    const renamed = Object.entries(error.fields).map(([name, text]) => [FORM_NAMES[name] ?? name, text]);
    throw new HostingError(error.code, error.params, Object.fromEntries(renamed) as AppError['fields'], { cause: error });
  }
}
