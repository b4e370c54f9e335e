import type { HttpResponse } from '../../../sdk/index.js';
import { jsonOf, statusProblem } from '../http-channel.js';

/** What robots say that answer `{"errcode":0,"errmsg":"ok"}` with status 200 whatever happens. */
export function errcodeProblem(answer: HttpResponse): string | null {
  const { errcode, errmsg } = jsonOf(answer);
  if (errcode === 0) return null;
  return errcode === undefined ? (statusProblem(answer) ?? 'no answer of a robot') : `${String(errcode)} ${String(errmsg)}`;
}
