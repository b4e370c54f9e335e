import { AppError, translate, localeOf } from '../../common/index.js';
import { toErrorResponse } from '../../http/index.js';
import type { AccountAnswer, AccountRefusal, CallContext } from '../../sdk/index.js';

/** What was done: the text that says so, `Set-Cookie` lines, and what else is answered. */
export interface AccountReply<Extra extends object> {
  readonly text: string;
  readonly cookies?: string[];
  readonly extra: Extra;
}

/** Does something for a customer; what is refused is an answer in the language of the request, what fails is thrown. */
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
