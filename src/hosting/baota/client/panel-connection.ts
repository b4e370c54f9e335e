import { type Agent, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import tls, { type ConnectionOptions, type TLSSocket } from 'node:tls';

import { serverProblem } from './panel-problem.js';

/** Closes idle connections before the panel does. */
const IDLE_MS = 2_000;
const MAX_SOCKETS = 6;

/** SHA-256 of a certificate in the usual notation: pairs of hex digits separated by colons. */
export type Fingerprint = string;

/** How long a panel may stay silent before the request fails, in milliseconds. */
export interface PanelTimeouts {
  /** Before the response begins: long work, such as importing SQL, may take minutes. */
  readonly answer: number;
  /** During a response. */
  readonly body: number;
}

/** Connections to one server panel, with its cookies. */
export class PanelConnection {
  /** Cookies of the panel's session. */
  readonly cookies = new Map<string, string>();
  readonly agent: Agent;

  /** @param pin fingerprint of the expected certificate; empty accepts any trusted one */
  constructor(
    secure: boolean,
    pin: Fingerprint,
    readonly timeouts: PanelTimeouts,
  ) {
    const options = { keepAlive: true, maxSockets: MAX_SOCKETS, timeout: IDLE_MS };
    this.agent = secure ? new PinnedAgent(options, pin) : new HttpAgent(options);
  }

  close(): void {
    this.agent.destroy();
  }
}

/** Returns a connection only after the server's certificate was checked, so that nothing is sent before. */
class PinnedAgent extends HttpsAgent {
  constructor(
    options: ConstructorParameters<typeof HttpsAgent>[0],
    private readonly pin: Fingerprint,
  ) {
    super({ ...options, maxCachedSessions: 0 });
  }

  override createConnection(options: ConnectionOptions, connected: (error: Error | null, socket: Duplex) => void): undefined {
    const socket = tls.connect({ ...options, rejectUnauthorized: false });
    const refuse = (error: Error): void => {
      socket.destroy();
      connected(error, socket);
    };
    socket.once('error', refuse);
    socket.once('secureConnect', () => {
      socket.off('error', refuse);
      const problem = certificateProblem(socket, this.pin);
      if (problem) refuse(problem);
      else connected(null, socket);
    });
    return undefined;
  }
}

function certificateProblem(socket: TLSSocket, pin: Fingerprint): Error | null {
  const fingerprint = fingerprintOf(socket);
  if (pin !== '') return fingerprint === pin ? null : serverProblem('CERTIFICATE_CHANGED', { fingerprint });
  return socket.authorized ? null : serverProblem('CERTIFICATE_UNKNOWN', { fingerprint });
}

function fingerprintOf(socket: TLSSocket): Fingerprint {
  // Without a certificate, Node returns an empty object.
  return (socket.getPeerCertificate() as { fingerprint256?: string }).fingerprint256 ?? '';
}

/** Returns the fingerprint of a server's certificate and whether it is trusted. @throws the error of a failed connection */
export function shownCertificate(
  { host, port }: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<{ fingerprint: Fingerprint; isTrusted: boolean }> {
  return new Promise((resolve, reject) => {
    const servername = /^[\d.]+$|:/.test(host) ? undefined : host;
    const socket = tls.connect({ host, port, servername, rejectUnauthorized: false });
    const stop = (): void => {
      socket.destroy(new Error('aborted'));
    };
    signal.addEventListener('abort', stop, { once: true });
    socket.once('close', () => signal.removeEventListener('abort', stop));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      resolve({ fingerprint: fingerprintOf(socket), isTrusted: socket.authorized });
      socket.end();
    });
    if (signal.aborted) stop();
  });
}
