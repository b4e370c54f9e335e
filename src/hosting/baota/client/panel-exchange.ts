import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';

import type { DriverNode, ServerProblemCode } from '../../driver/index.js';

import type { PanelConnection } from './panel-connection.js';
import { PanelProblem } from './panel-problem.js';

/** Some panels answer "not found" to clients that do not look like a browser. */
const AGENT = 'Mozilla/5.0 (compatible; svc-panel)';
const CONNECT_MS = 10_000;
const MAX_COOKIES = 10;

/** One request to a server panel. */
export interface PanelRequest {
  readonly method: 'GET' | 'POST';
  /** Including the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** Base address of a server panel's API. */
export function panelAddress({ address, port }: Pick<DriverNode, 'address' | 'port'>, secure: boolean): URL {
  const host = address.includes(':') && !address.startsWith('[') ? `[${address}]` : address;
  const url = new URL(`${secure ? 'https' : 'http'}://${host}`);
  if (port > 0) url.port = String(port);
  return url;
}

/**
 * Sends a request and waits for the headers of the response. Redirects are not followed here.
 *
 * @throws PanelProblem `unreachable` if nothing was sent, `unknown` if something may have been sent
 */
export function send(base: URL, connection: PanelConnection, request: PanelRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const { method, path, headers = {}, body } = request;
  return new Promise((resolve, reject) => {
    let isSent = false;
    const cookies = [...connection.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const outgoing = (base.protocol === 'https:' ? https : http).request(new URL(path, base), {
      method,
      agent: connection.agent,
      signal,
      headers: {
        'User-Agent': AGENT,
        Accept: 'application/json, text/plain, */*',
        ...(cookies ? { Cookie: cookies } : {}),
        ...headers,
        ...(body ? { 'Content-Length': String(body.length) } : {}),
      },
    });
    const timer = setTimeout(() => outgoing.destroy(new Error('timeout')), CONNECT_MS);
    const { timeouts } = connection;
    let response: IncomingMessage | null = null;
    outgoing.once('socket', (socket) => {
      const onSilence = (): void => {
        // Unread data means that the reader is slow, not the panel: keep waiting.
        if (response !== null && response.readableLength > 0) socket.setTimeout(timeouts.body);
        else (response ?? outgoing).destroy(new PanelProblem({ outcome: 'unknown', message: 'The server panel stopped responding.' }));
      };
      const connected = (): void => {
        clearTimeout(timer);
        isSent = true;
        socket.setTimeout(timeouts.answer);
        // The request would report only the first timeout, which may occur before the connection is established.
        socket.on('timeout', onSilence);
        outgoing.once('close', () => socket.off('timeout', onSilence));
      };
      if (!socket.connecting) connected();
      else socket.once('connect', connected);
    });
    outgoing.once('response', (answer) => {
      clearTimeout(timer);
      response = answer;
      answer.socket.setTimeout(timeouts.body);
      keepCookies(connection, answer);
      resolve(answer);
    });
    outgoing.once('error', (error) => {
      clearTimeout(timer);
      if (error instanceof PanelProblem) reject(error);
      else if (isSent) reject(new PanelProblem({ outcome: 'unknown', message: error.message }));
      else reject(unreachable(base, error));
    });
    outgoing.end(body);
  });
}

const UNREACHABLE: Readonly<Record<string, ServerProblemCode>> = {
  ECONNREFUSED: 'CONNECT_REFUSED',
  ENOTFOUND: 'CONNECT_NAME',
  EAI_AGAIN: 'CONNECT_NAME',
  EPROTO: 'CONNECT_TLS',
};

/** Explains why nothing could be sent, in terms that help to correct the address. */
export function unreachable({ host }: URL, error: NodeJS.ErrnoException): PanelProblem {
  const { code = '', message } = error;
  const problem = code.startsWith('ERR_SSL_') ? 'CONNECT_TLS' : (UNREACHABLE[code] ?? 'CONNECT_TIMEOUT');
  return new PanelProblem({ outcome: 'unreachable', message, problem: { code: problem, params: { address: host } } }, { cause: error });
}

function keepCookies({ cookies }: PanelConnection, answer: IncomingMessage): void {
  for (const line of answer.headers['set-cookie'] ?? []) {
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]{1,100})=([^;\s,]{0,500})/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    cookies.delete(name);
    if (value !== '' && cookies.size < MAX_COOKIES) cookies.set(name, value);
  }
}
