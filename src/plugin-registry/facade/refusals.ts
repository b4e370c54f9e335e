import { AppError, executionContext, localeOf, translate } from '../../common/index.js';

/** Wraps calls so that their errors carry a message in the request's language. */
export function withMessages<Calls extends object>(calls: Calls): Calls {
  const wrap =
    (call: (...args: unknown[]) => Promise<unknown>) =>
    async (...args: unknown[]): Promise<unknown> => {
      try {
        return await call(...args);
      } catch (error) {
        throw error instanceof AppError ? refusalOf(error) : error;
      }
    };
  return Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, wrap(call as never)])) as Calls;
}

/** Converts an error of the panel for plugins. */
function refusalOf(error: AppError): Error {
  const { code, told, fields } = error;
  const locale = localeOf(executionContext.getStore()?.call?.locale ?? '');
  return Object.assign(new Error(translate(locale, told.key, told.params)), { code, field: Object.keys(fields ?? {})[0] ?? '' });
}
