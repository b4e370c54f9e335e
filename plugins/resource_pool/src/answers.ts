import type { AjaxResult, CallContext } from '@svc/sdk';

import type { Problems } from './form-fields.js';
import { refusedWords } from './refusals.js';

/** Answer for a success. */
export function done(text: string, extra: Readonly<Record<string, unknown>> = {}): AjaxResult {
  return { success: true, qk: 1, code: text, msg: text, data: extra, ...extra };
}

/** Answer for a rejection. @param fields error messages by field */
export function refused(text: string, fields: Readonly<Record<string, string>> = {}, err = 'E_ARGS'): AjaxResult {
  return { success: false, qk: 4, code: text, msg: text, err, data: null, ...(Object.keys(fields).length > 0 && { fields }) };
}

/** Translates the errors of a form's fields. */
export const inWords = ({ t }: Pick<CallContext, 't'>, problems: Problems): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(problems).map(([field, key]) => [field, t(key)]));

/** Answer for an invalid form. */
export const inProblems = (ctx: Pick<CallContext, 't'>, problems: Problems): AjaxResult =>
  refused(ctx.t('fields_wrong'), inWords(ctx, problems));

/** Returns the answer of `work`, or one that describes its error. */
export async function answered(ctx: CallContext, work: () => Promise<AjaxResult>): Promise<AjaxResult> {
  try {
    return await work();
  } catch (error) {
    const { text, fields } = refusedWords(error, ctx);
    return refused(text, fields, 'E_STATE');
  }
}
