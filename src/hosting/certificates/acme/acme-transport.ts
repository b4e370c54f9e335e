import { AsyncLocalStorage } from 'node:async_hooks';

import type * as acme from 'acme-client';

import { DAY_MS, HOUR_MS, type OutboundAnswer, type OutboundHttp, type OutboundMethod } from '../../../common/index.js';

import { AcmeProblem, problemOf } from './acme-problem.js';

type Acme = typeof acme;
type Adapter = Extract<Acme['axios']['defaults']['adapter'], (...args: never[]) => unknown>;

/** How long one request to an authority may take, in milliseconds. */
const REQUEST_MS = 15_000;
/** Largest answer of an authority, in bytes. */
const LARGEST = 1_048_576;
/** What an authority that does not say how long gets, and what one may ask for, in milliseconds. */
const PAUSE_MS = HOUR_MS;
const LONGEST_PAUSE_MS = DAY_MS;

const client = new AsyncLocalStorage<OutboundHttp>();
let loading: Promise<Acme> | null = null;

/**
 * The library that speaks the protocol, loaded when it is first used. Its requests go through the outbound client of whoever calls by way
 * of {@link withOutbound}: only to public addresses and those an administrator allowed, wherever a directory, its answers or its names
 * lead. It repeats nothing by itself but what was refused for its nonce.
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
    // What the library says of answers that are none of an authority.
    throw new AcmeProblem('unreachable', { detail: error instanceof Error ? error.message.slice(0, 200) : '' });
  }
}

const send: Adapter = async (config) => {
  const outbound = client.getStore();
  if (!outbound) throw new Error('A request to an authority without its client.');
  const answer = await outbound.request({
    url: config.url ?? '',
    method: (config.method ?? 'get').toUpperCase() as OutboundMethod,
    headers: { 'content-type': 'application/jose+json' },
    body: typeof config.data === 'string' ? config.data : '',
    timeoutMs: REQUEST_MS,
    maxBytes: LARGEST,
    maxRedirects: 0,
  });
  const { ok, code, body, headers } = answer;
  const document = parsed(body);
  if (!ok && !isNonceRefusal(code, document)) throw problemOfAnswer(answer, document);
  return { data: body, status: code, statusText: '', headers, config, request: null };
};

function problemOfAnswer({ code, headers, failure }: OutboundAnswer, document: unknown): AcmeProblem {
  if (code === 0) return new AcmeProblem(failure === 'INTERNAL' ? 'internal' : 'unreachable', { detail: '' });
  const told = problemOf(document, '', pauseOf(headers['retry-after']));
  if (code === 429) return new AcmeProblem('limited', told.params, told.type, told.retryAfterMs ?? PAUSE_MS);
  if (code === 404 || code === 410) return new AcmeProblem('other', told.params, 'missing');
  if (code >= 500 || told.type === '') return new AcmeProblem('unreachable', { detail: `HTTP ${code} ${told.params.detail}`.trim() });
  return told;
}

/** The library asks again with the nonce of such an answer. */
const isNonceRefusal = (code: number, document: unknown): boolean =>
  code === 400 && (document as { type?: unknown } | null)?.type === 'urn:ietf:params:acme:error:badNonce';

/** What `Retry-After` asks for: seconds, or a time. */
function pauseOf(value: string | undefined): number | null {
  if (value === undefined) return null;
  const ms = /^\d{1,9}$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 1_000), LONGEST_PAUSE_MS) : null;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
