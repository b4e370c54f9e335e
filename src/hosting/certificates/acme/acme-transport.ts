import { AsyncLocalStorage } from 'node:async_hooks';

import type * as acme from 'acme-client';

import { DAY_MS, HOUR_MS, type OutboundAnswer, type OutboundHttp, type OutboundMethod } from '../../../common/index.js';

import { AcmeProblem, problemOf } from './acme-problem.js';

type Acme = typeof acme;
type Adapter = Extract<Acme['axios']['defaults']['adapter'], (...args: never[]) => unknown>;

/** Timeout of one request to an authority, in milliseconds. */
const REQUEST_MS = 15_000;
/** Maximum size of a response, in bytes. */
const MAX_BYTES = 1_048_576;
/** Wait after a rate limit without `Retry-After`, and maximum wait, in milliseconds. */
const PAUSE_MS = HOUR_MS;
const MAX_PAUSE_MS = DAY_MS;

const client = new AsyncLocalStorage<OutboundHttp>();
let loading: Promise<Acme> | null = null;

/**
 * Returns the ACME library, loaded on first use. Its requests go through the outbound client of the caller, see {@link withOutbound}: only
 * to public addresses and those allowed by an administrator, whatever address a directory or response names. The library itself retries
 * only requests rejected for their nonce.
 */
export function acmeLibrary(): Promise<Acme> {
  loading ??= import('acme-client').then((library) => {
    library.axios.defaults.adapter = send;
    return library;
  });
  return loading;
}

/** Runs calls of the library with this client. @throws AcmeProblem */
export async function withOutbound<T>(outbound: OutboundHttp, run: () => Promise<T>): Promise<T> {
  try {
    return await client.run(outbound, run);
  } catch (error) {
    if (error instanceof AcmeProblem) throw error;
    // The library throws plain errors for responses that are not those of an authority.
    throw new AcmeProblem('unreachable', { detail: error instanceof Error ? error.message.slice(0, 200) : '' });
  }
}

const send: Adapter = async (config) => {
  const outbound = client.getStore();
  if (!outbound) throw new Error('A request to a certificate authority without its client.');
  const answer = await outbound.request({
    url: config.url ?? '',
    method: (config.method ?? 'get').toUpperCase() as OutboundMethod,
    headers: { 'content-type': 'application/jose+json' },
    body: typeof config.data === 'string' ? config.data : '',
    timeoutMs: REQUEST_MS,
    maxBytes: MAX_BYTES,
    maxRedirects: 0,
  });
  const { ok, code, body, headers } = answer;
  const document = parsed(body);
  if (!ok && !isNonceRefusal(code, document)) throw problemOfAnswer(answer, document);
  return { data: body, status: code, statusText: '', headers, config, request: null };
};

function problemOfAnswer({ code, headers, failure }: OutboundAnswer, document: unknown): AcmeProblem {
  if (code === 0) return new AcmeProblem(failure === 'INTERNAL' ? 'internal' : 'unreachable', { detail: '' });
  const problem = problemOf(document, '', pauseOf(headers['retry-after']));
  if (code === 429) return new AcmeProblem('limited', problem.params, problem.type, problem.retryAfterMs ?? PAUSE_MS);
  if (code === 404 || code === 410) return new AcmeProblem('other', problem.params, 'missing');
  if (code >= 500 || problem.type === '') return new AcmeProblem('unreachable', { detail: `HTTP ${code} ${problem.params.detail}`.trim() });
  return problem;
}

/** The library retries with the nonce of such a response. */
const isNonceRefusal = (code: number, document: unknown): boolean =>
  code === 400 && (document as { type?: unknown } | null)?.type === 'urn:ietf:params:acme:error:badNonce';

/** Parses `Retry-After`: seconds, or a date. */
function pauseOf(value: string | undefined): number | null {
  if (value === undefined) return null;
  const ms = /^\d{1,9}$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 1_000), MAX_PAUSE_MS) : null;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
