import { AppError, translate, localeOf } from '../../common/index.js';
import { toErrorResponse } from '../../http/index.js';
import type { AccountAnswer, AccountRefusal, CallContext } from '../../sdk/index.js';

/** Result of an action: the key of its message, `Set-Cookie` lines, and further fields of the answer. */
export interface AccountReply<Extra extends object> {
  readonly text: string;
  readonly cookies?: string[];
  readonly extra: Extra;
}

/** Runs an action for a customer. A rejection becomes an answer in the request's language; unexpected errors are thrown. */
export async function answered<Extra extends object>(
  ctx: CallContext,
  work: () => Promise<AccountReply<Extra>>,
): Promise<AccountAnswer<Extra>> {
  try {
    const { text, cookies = [], extra } = await work();
    return { ok: true, message: translate(localeOf(ctx.locale), text), cookies, ...extra };
  } catch (error) {
    if (error instanceof AppError) return refusalOf(error, ctx);
    throw error;
  }
}

function refusalOf(error: AppError, ctx: CallContext): AccountRefusal {
  const { text, fields, status } = toErrorResponse(error, localeOf(ctx.locale));
  const field = Object.keys(fields ?? {})[0] ?? '';
  return { ok: false, code: error.code, field, message: text, ...(fields && { fields }), status: status === 429 ? 429 : 200 };
}
