// @ts-check
import { formatDuration, timeAfter } from './format.js';
import { t } from './i18n.js';

/** Seconds to wait from which on the time of day is said too. */
const LONG_WAIT = 90;

const MEGABYTE = 1024 * 1024;
/** What the API takes of a file, by its field: one that is larger need not be sent to be refused. */
const FILE_LIMITS = new Map([
  ['zipfile', { bytes: 50 * MEGABYTE, text: 'zip.too_large' }],
  ['image', { bytes: 5 * MEGABYTE, text: 'image.too_large' }],
]);

/** What the API refused, or that it could not be asked. Its message is for people. */
export class ApiFailure extends Error {
  /** @param {number} status HTTP status; 0 where there was no answer @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * @typedef {object} CallOptions
 * @property {boolean} [staysOnLogin] 401 is the answer to what was typed, no reason to sign in
 * @property {AbortSignal} [signal]
 */

/**
 * Asks the API with a JSON body. Who is not signed in any more goes to the login page and comes back.
 *
 * @param {string} method
 * @param {string} path below `/api`
 * @param {object} [body]
 * @param {CallOptions} [options]
 * @returns {Promise<{ data: any, msg: string }>}
 */
export async function call(method, path, body, { staysOnLogin = false, signal } = {}) {
  const response = await reach(path, {
    method,
    signal,
    ...(body ? { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } } : {}),
  });
  return answerOf(response.status, response.headers.get('retry-after'), await response.text(), staysOnLogin);
}

/** The data at a path. @param {string} path @param {CallOptions} [options] @returns {Promise<any>} */
export async function get(path, options) {
  return (await call('GET', path, undefined, options)).data;
}

/** An answer that is plain text. @param {string} path @returns {Promise<string>} */
export async function getText(path) {
  const response = await reach(path, { method: 'GET' });
  const text = await response.text();
  if (!response.ok) await answerOf(response.status, response.headers.get('retry-after'), text, false);
  return text;
}

/**
 * Sends a form with a file and tells how far it is.
 *
 * @param {string} path
 * @param {FormData} form
 * @param {(share: number) => void} [onProgress] 0 to 1; at 1 everything was sent and the server is at work
 * @returns {Promise<{ data: any, msg: string }>}
 */
export function upload(path, form, onProgress) {
  for (const [name, { bytes, text }] of FILE_LIMITS) {
    const file = form.get(name);
    if (file instanceof File && file.size > bytes) return Promise.reject(new ApiFailure(413, t(text)));
  }
  return new Promise((resolve, reject) => {
    // fetch() does not tell how much of a request was sent.
    const request = new XMLHttpRequest();
    request.open('POST', `/api${path}`);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0));
    request.addEventListener('error', () => reject(new ApiFailure(0, t('failure.offline'))));
    request.addEventListener('load', () => answerOf(request.status, request.getResponseHeader('retry-after'), request.responseText, false).then(resolve, reject));
    request.send(form);
  });
}

/** @param {string} path @param {RequestInit} init */
async function reach(path, init) {
  try {
    return await fetch(`/api${path}`, { credentials: 'same-origin', ...init });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiFailure(0, t('failure.offline'));
  }
}

/**
 * @param {number} status
 * @param {string | null} retryAfter
 * @param {string} text
 * @param {boolean} staysOnLogin
 * @returns {Promise<{ data: any, msg: string }>}
 */
async function answerOf(status, retryAfter, text, staysOnLogin) {
  /** @type {{ code: number, msg: string, data: unknown } | null} */
  let answer = null;
  try {
    answer = JSON.parse(text);
  } catch {
    // Something between us and the store answered.
  }
  if (answer?.code === 0) return { data: answer.data, msg: answer.msg };
  if (status === 401 && !staysOnLogin) return toLogin();
  throw new ApiFailure(status, `${answer?.msg || t('failure.unreadable', { status })}${whenAgain(Number(retryAfter))}`);
}

/** @param {number} seconds */
function whenAgain(seconds) {
  return seconds > LONG_WAIT ? ` ${t('failure.again', { duration: formatDuration(seconds), time: timeAfter(seconds) })}` : '';
}

/** Goes to the login page; the page is left, so nothing comes back. @returns {Promise<never>} */
function toLogin() {
  location.assign(`/store/login?next=${encodeURIComponent(location.pathname + location.search)}`);
  return new Promise(() => {});
}
