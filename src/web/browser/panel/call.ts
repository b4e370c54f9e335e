import { keepDrafts } from '../kit/drafts.js';
import { said, text } from '../kit/page.js';
import { askForProof, type Shown } from './proof.js';

/** What an operation answers; see docs/panel-api.md. */
export type Answer = Readonly<Record<string, unknown>>;
/** What an operation is given. */
export type Fields = Record<string, FormDataEntryValue>;

/** The two refusals of the wire contract; they are never translated. */
const SIGN_IN_ANSWERS: readonly unknown[] = ['请登陆后台', '请登陆'];

/** Whether it says that something was done. */
export const isSuccess = (answer: Answer): boolean => Number(answer.qk) === 1 || answer.success === true;

/** What it says, in words. */
export function messageOf({ msg, code }: Answer): string {
  return [msg, code].find((words): words is string => typeof words === 'string' && words !== '') ?? text('failed');
}

function bodyOf(fields: Fields): FormData | URLSearchParams {
  const texts = Object.entries(fields).filter((field): field is [string, string] => typeof field[1] === 'string');
  if (texts.length === Object.keys(fields).length) return new URLSearchParams(texts);
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return body;
}

/**
 * Runs an operation of the page's side. One that needs a code of the second factor first asks for it, and goes on with a right one. Where the session has ended,
 * the page leaves for the login page and this never returns.
 */
export async function call(gn: string, fields: Fields = {}): Promise<Answer> {
  const answer = await send(gn, fields);
  return answer.need === 'proof' && (await askForProof(showCode)) ? call(gn, fields) : answer;
}

async function showCode(totp: string): Promise<Shown> {
  const answer = await send('f2zm', { totp });
  return { right: isSuccess(answer), words: messageOf(answer) };
}

async function send(gn: string, fields: Fields): Promise<Answer> {
  const request = { method: 'POST', body: bodyOf({ ...fields, gn }), headers: { Accept: 'application/json' } };
  const answer = await fetch(said.endpoint!, request).then(
    (response) => response.json().catch(() => null) as Promise<Answer | null>,
    () => ({ code: text('offline') }),
  );
  if (answer === null || typeof answer !== 'object') return { code: text('failed') };
  if (!SIGN_IN_ANSWERS.includes(answer.code) || 'qk' in answer || !said.login) return answer;
  keepDrafts();
  location.assign(`${said.login}?next=${encodeURIComponent(location.pathname + location.search)}`);
  return new Promise(() => {});
}
