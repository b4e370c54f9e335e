import { keepDrafts } from '../kit/drafts.js';
import { pageData, text } from '../kit/page.js';
import { askForProof, type Shown } from './proof.js';

/** Response of an operation; see docs/panel-api.md. */
export type Answer = Readonly<Record<string, unknown>>;
/** Fields of an operation. */
export type Fields = Record<string, FormDataEntryValue>;

/** The two "sign in" responses of the wire contract; they are never translated. */
const SIGN_IN_ANSWERS: readonly unknown[] = ['请登陆后台', '请登陆'];

/** Returns whether the operation succeeded. */
export const isSuccess = (answer: Answer): boolean => Number(answer.qk) === 1 || answer.success === true;

/** Returns the message of a response. */
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
 * Wraps `fetch` to ask for a second factor code if an operation of the page's side requires one, and to repeat the request
 * after it was verified. Installed as the page's own `fetch`, so that it also covers plugins' scripts; all other
 * requests and responses are unchanged.
 */
export function proofAsking(send: typeof fetch): typeof fetch {
  const asking: typeof fetch = async (input, init) => {
    const retryInput = input instanceof Request ? input.clone() : input;
    const response = await send(input, init);
    if (!(await needsProof(response)) || !(await askForProof(showCode))) return response;
    return asking(retryInput, init);
  };
  return asking;
}

async function needsProof(response: Response): Promise<boolean> {
  const { origin, pathname } = new URL(response.url);
  // Lists can be long, a rejection is short.
  if (origin + pathname !== location.origin + pageData.endpoint || Number(response.headers.get('Content-Length')) > 4_000) return false;
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

/** Runs an operation of the page's side. If the session has ended, navigates to the login page and never resolves. */
export async function call(gn: string, fields: Fields = {}): Promise<Answer> {
  const request = { method: 'POST', body: bodyOf({ ...fields, gn }), headers: { Accept: 'application/json' } };
  const answer = await fetch(pageData.endpoint!, request).then(
    (response) => response.json().catch(() => null) as Promise<Answer | null>,
    () => ({ code: text('offline') }),
  );
  if (answer === null || typeof answer !== 'object') return { code: text('failed') };
  if (!SIGN_IN_ANSWERS.includes(answer.code) || 'qk' in answer || !pageData.login) return answer;
  keepDrafts();
  location.assign(`${pageData.login}?next=${encodeURIComponent(location.pathname + location.search)}`);
  return new Promise(() => {});
}
