import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';

import type { DriverNode, ServerProblemCode } from '../../driver/index.js';

import type { PanelConnection } from './panel-connection.js';
import { PanelProblem } from './panel-problem.js';

/** Some panels answer programs that do not look like a browser as if nothing were there. */
const AGENT = 'Mozilla/5.0 (compatible; svc-panel)';
const CONNECT_MS = 10_000;
const MOST_COOKIES = 10;

/** One request to a server panel. */
export interface PanelRequest {
  readonly method: 'GET' | 'POST';
  /** With its query. */
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
 * Sends a request and waits for the head of its answer. No redirect is followed here.
 *
 * @throws PanelProblem `unreachable` where nothing was sent, `unknown` where something may have been
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
    const { patience } = connection;
    let begun: IncomingMessage | null = null;
    outgoing.once('socket', (socket) => {
      const fellSilent = (): void => {
        // Whoever reads slowly is not waited for by anybody, and may do so again.
        if (begun !== null && begun.readableLength > 0) socket.setTimeout(patience.body);
        else (begun ?? outgoing).destroy(new PanelProblem({ outcome: 'unknown', message: 'The server panel fell silent.' }));
      };
      const connected = (): void => {
        clearTimeout(timer);
        isSent = true;
        socket.setTimeout(patience.answer);
        // Its request hears only of the first time, which may be one before it is connected.
        socket.on('timeout', fellSilent);
        outgoing.once('close', () => socket.off('timeout', fellSilent));
      };
      if (!socket.connecting) connected();
      else socket.once('connect', connected);
    });
    outgoing.once('response', (answer) => {
      clearTimeout(timer);
      begun = answer;
      answer.socket.setTimeout(patience.body);
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

/** Why nothing could be sent, as whoever enters the address can do something about it. */
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
    if (value !== '' && cookies.size < MOST_COOKIES) cookies.set(name, value);
  }
}
