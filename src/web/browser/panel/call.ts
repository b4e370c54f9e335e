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
 * `fetch` that asks for a code of the second factor where an operation of the page's side needs one first, and sends the request
 * again with a right one. It is the page's own, so that what a plugin's script sends is asked for one likewise; every other
 * request and answer passes as it is.
 */
export function proofAsking(send: typeof fetch): typeof fetch {
  const asking: typeof fetch = async (input, init) => {
    const again = input instanceof Request ? input.clone() : input;
    const response = await send(input, init);
    if (!(await needsProof(response)) || !(await askForProof(showCode))) return response;
    return asking(again, init);
  };
  return asking;
}

async function needsProof(response: Response): Promise<boolean> {
  const { origin, pathname } = new URL(response.url);
  // Lists can be long, a refusal is short.
  if (origin + pathname !== location.origin + said.endpoint || Number(response.headers.get('Content-Length')) > 4_000) return false;
  const answer = (await response
    .clone()
    .json()
    .catch(() => null)) as Answer | null;
  return answer?.need === 'proof';
}

async function showCode(totp: string): Promise<Shown> {
  const answer = await call('f2zm', { totp });
  return { right: isSuccess(answer), words: messageOf(answer) };
}

/** Runs an operation of the page's side. Where the session has ended, the page leaves for the login page and this never returns. */
export async function call(gn: string, fields: Fields = {}): Promise<Answer> {
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
