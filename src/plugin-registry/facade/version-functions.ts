import { AppError, executionContext, localeOf, type Locale } from '../../common/index.js';
import { checkVersion, isRowVersion, toErrorResponse, versionOf } from '../../http/index.js';
import { FormRefusal, inputRefusal } from '../../operations/index.js';
import type { FormValues, SvcFacade } from '../../sdk/index.js';

/** Facade functions that detect concurrent edits of a form. */
export type VersionFunctions = Pick<SvcFacade, 'svc_row_version' | 'svc_check_row_version'>;

/** Stateless, and the same for every plugin. */
export const versionFunctions: VersionFunctions = {
  svc_row_version: (values) => versionOf(fieldsOf('svc_row_version', values)),
  svc_check_row_version: (version, present) => {
    const fields = fieldsOf('svc_check_row_version', present);
    const locale = localeOf(executionContext.getStore()?.call?.locale ?? '');
    try {
      checkGivenVersion(version, fields, locale);
    } catch (error) {
      throw error instanceof AppError ? new FormRefusal(error, toErrorResponse(error, locale)) : error;
    }
  },
};

/**
 * As {@link checkVersion}, for an unvalidated version from a plugin. @throws StaleForm; OperationError INVALID_INPUT for an invalid version
 */
export function checkGivenVersion(version: unknown, present: FormValues, locale: Locale): void {
  if (version === undefined || isRowVersion(version)) return checkVersion(version, present);
  const field = 'row_version';
  throw inputRefusal([{ field, path: field, rule: 'isRowVersion', message: 'operations.field.other' }], locale);
}

/** @throws TypeError for names a form cannot send back, or values that cannot be compared */
function fieldsOf(called: string, values: unknown): FormValues {
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new TypeError(`${called} needs an object of values by field name.`);
  for (const [name, value] of Object.entries(values as FormValues)) {
    if (!/^[\w.[\]-]{1,100}$/.test(name)) throw new TypeError(`${called}: ${JSON.stringify(name)} is not a valid field name.`);
    if (!isComparable(value)) throw new TypeError(`${called}: the value of "${name}" must be a string, number, boolean, null or secret.`);
  }
  return values as FormValues;
}

function isComparable(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return 'secret' in value && typeof value.secret === 'string';
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
