import { type Agent, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import tls, { type ConnectionOptions, type TLSSocket } from 'node:tls';

import { serverProblem } from './panel-problem.js';

/** A free connection is given up before the panel does. */
const IDLE_MS = 2_000;
const MOST_SOCKETS = 6;

/** SHA-256 of a certificate as people compare it: pairs of hex digits with colons between. */
export type Fingerprint = string;

/** How long a server panel may say nothing before nobody waits for it any more, in milliseconds. */
export interface PanelPatience {
  /** Before its answer begins: it may work for some minutes, such as on SQL that is brought into a database. */
  readonly answer: number;
  /** In the middle of an answer. */
  readonly body: number;
}

/** Connections to one server panel, and what it wants to be reminded of. */
export class PanelConnection {
  /** Cookies of the panel's session. */
  readonly cookies = new Map<string, string>();
  readonly agent: Agent;

  /** @param pin certificate it is to show; empty: any that is vouched for */
  constructor(
    secure: boolean,
    pin: Fingerprint,
    readonly patience: PanelPatience,
  ) {
    const options = { keepAlive: true, maxSockets: MOST_SOCKETS, timeout: IDLE_MS };
    this.agent = secure ? new PinnedAgent(options, pin) : new HttpAgent(options);
  }

  close(): void {
    this.agent.destroy();
  }
}

/** Hands out connections only to a server that shows the right certificate: nothing is sent before that is known. */
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
  // Without a certificate there is an empty object.
  return (socket.getPeerCertificate() as { fingerprint256?: string }).fingerprint256 ?? '';
}

/** The certificate a server shows, and whether somebody known vouches for it. @throws what the connection failed with */
export function shownCertificate(
  { host, port }: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<{ fingerprint: Fingerprint; isVouchedFor: boolean }> {
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
      resolve({ fingerprint: fingerprintOf(socket), isVouchedFor: socket.authorized });
      socket.end();
    });
    if (signal.aborted) stop();
  });
}
