import { AppError, translate, localeOf } from '../../common/index.js';
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

function refusalOf({ code, shape, params, fields }: AppError, ctx: CallContext): AccountRefusal {
  const field = Object.keys(fields ?? {})[0] ?? '';
  return { ok: false, code, field, message: translate(localeOf(ctx.locale), shape.text, params), status: shape.status === 429 ? 429 : 200 };
}
