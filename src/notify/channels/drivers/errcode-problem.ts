import type { HttpResponse } from '../../../sdk/index.js';
import { jsonOf, statusProblem } from '../http-channel.js';

/** Returns the problem of robots that always respond with status 200 and `{"errcode":0,"errmsg":"ok"}`; null for success. */
export function errcodeProblem(answer: HttpResponse): string | null {
  const { errcode, errmsg } = jsonOf(answer);
  if (errcode === 0) return null;
  return errcode === undefined ? (statusProblem(answer) ?? 'not a response of a robot') : `${String(errcode)} ${String(errmsg)}`;
}
