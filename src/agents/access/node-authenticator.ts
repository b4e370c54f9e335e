import type { IncomingHttpHeaders } from 'node:http';

import { Injectable } from '@nestjs/common';

import { FailureLimits, RateLimited } from '../../auth/index.js';
import { Clock, loggerFor, sameText } from '../../common/index.js';
import { Database, fromSqlTime } from '../../database/index.js';
import { withCurrentNames } from '../../operations/index.js';
import { SiteSettings } from '../../site/index.js';
import { NodeApiError } from '../node-api-error.js';
import { CLOCK_WINDOW_SECONDS, NODE_ID, NONCE, type StreamHash } from '../wire/index.js';

import { jsonObject } from './json-object.js';
import { Nonces } from './nonces.js';
import { sign, type SigningSecrets } from './signature.js';

const log = loggerFor('node-api');
const TIME = /^\d{1,12}$/;
const SIGNATURE = /^[0-9a-f]{64}$/;

/** Limit of wrong secrets and signatures per node and address; attempts on unknown nodes are counted together per address. */
const WRONG = { limit: 30, windowSeconds: 300 };

/** An unauthenticated request. */
export interface NodeRequest {
  readonly method: string;
  /** Path and query exactly as requested. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer | StreamHash;
  readonly ip: string;
  /** Given for requests that support long polling. */
  readonly connection?: NodeConnection;
}

/** Reports whether the client has disconnected. */
export interface NodeConnection {
  readonly isGone: () => boolean;
  readonly onGone: (listener: () => void) => void;
}

/** An authenticated request. */
export interface AuthenticRequest {
  readonly node: NodeIdentity;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Whether a request claims to be signed; its body is then not searched for the secret. */
export function isSigned(headers: IncomingHttpHeaders): boolean {
  return claimsSignature(withCurrentNames(headers));
}

function claimsSignature(headers: IncomingHttpHeaders): boolean {
  return headers['x-svc-sign'] !== undefined || headers['x-svc-node'] !== undefined;
}

function signatureOf(headers: IncomingHttpHeaders): { time: string; nonce: string; signature: string } {
  const [time, nonce, given] = ['x-svc-time', 'x-svc-nonce', 'x-svc-sign'].map((name) => String(headers[name] ?? '')) as [
    string,
    string,
    string,
  ];
  return { time, nonce, signature: given.toLowerCase() };
}

function wellFormed(time: string, nonce: string, signature: string): boolean {
  return TIME.test(time) && NONCE.test(nonce) && SIGNATURE.test(signature);
}

/** The node that sent a request. */
export interface NodeIdentity {
  readonly id: number;
  readonly nodeId: string;
  /** The node's secret used for this request; answers are sealed with it. */
  readonly secret: string;
}

/** Credentials of a request. */
interface Shown {
  readonly time: number | null;
  readonly nonce: string | null;
  readonly secret: string;
}

interface NodeRow extends NodeIdentity {
  readonly platformSecret: string;
  readonly previousSecret: string;
  readonly previousPlatformSecret: string;
  readonly previousUntil: string | null;
}

/** Authenticates requests of nodes by signature or by the secret in the body, and rejects replays. */
@Injectable()
export class NodeAuthenticator {
  private readonly find;

  constructor(
    database: Database,
    private readonly clock: Clock,
    private readonly nonces: Nonces,
    private readonly settings: SiteSettings,
    private readonly failures: FailureLimits,
  ) {
    this.find = database.statement<NodeRow>(
      `SELECT {AgentNode.id} AS id, {AgentNode.nodeId} AS nodeId, {AgentNode.secret} AS secret,
        {AgentNode.platformSecret} AS platformSecret,
        {AgentNode.previousSecret} AS previousSecret, {AgentNode.previousPlatformSecret} AS previousPlatformSecret,
        {AgentNode.previousUntil} AS previousUntil
       FROM {AgentNode} WHERE {AgentNode.nodeId} = ? AND {AgentNode.enabled} = 1`,
    );
  }

  /**
   * Authenticates a request. A signed body is parsed only after the signature is verified, because parsing megabytes of JSON for strangers
   * is too expensive. A correct signature is accepted regardless of earlier failures, so that nobody can lock a node out.
   *
   * @param nonceOptional whether an unsigned request may omit nonce and time; true for heartbeats, where a replay does no harm
   * @throws RateLimited after too many failures
   * @throws NodeApiError NODE_ID_MISSING, NODE_UNKNOWN, SIGNATURE, CLOCK, NONCE_MISSING, REPLAYED, BODY
   */
  async authenticate(request: NodeRequest, nonceOptional: boolean): Promise<AuthenticRequest> {
    const headers = withCurrentNames(request.headers);
    const { rawBody } = request;
    if (rawBody === 'stream' && !claimsSignature(headers)) throw new NodeApiError('SIGNATURE');
    const open = claimsSignature(headers) ? null : jsonObject(rawBody);
    const node = await this.nodeOf(open ? open.node_id : headers['x-svc-node']).catch((error: unknown) =>
      this.counted(error, '-', request.ip),
    );
    const { time, nonce, secret } = await this.shown(
      () => (open ? this.checkSecret(request, open, node, nonceOptional) : this.checkSignature(request, headers, node)),
      node,
      request.ip,
    );
    if (time !== null && Math.abs(this.clock.now().getTime() / 1_000 - time) > CLOCK_WINDOW_SECONDS)
      throw this.refusal('CLOCK', request, node);
    const body = open ?? jsonObject(rawBody);
    if (nonce !== null && !(await this.nonces.use(node.nodeId, nonce))) throw this.refusal('REPLAYED', request, node);
    return { node: { id: node.id, nodeId: node.nodeId, secret }, body };
  }

  private async shown<T>(check: () => T, node: NodeRow, ip: string): Promise<T> {
    try {
      return check();
    } catch (error) {
      return this.counted(error, node.nodeId, ip);
    }
  }

  /** Counts a failure and rethrows it. @throws RateLimited, `error` */
  private async counted(error: unknown, node: string, ip: string): Promise<never> {
    if (error instanceof NodeApiError && (error.code === 'SIGNATURE' || error.code === 'NODE_UNKNOWN')) {
      const seconds = await this.failures.count(`node:${node}`, ip, WRONG);
      if (seconds > 0) throw new RateLimited(seconds);
    }
    throw error;
  }

  /** Whether the headers name an existing node and have the form of a signature; verifying it requires the body. */
  async couldBeSigned(given: IncomingHttpHeaders): Promise<boolean> {
    const headers = withCurrentNames(given);
    const nodeId = headers['x-svc-node'];
    const { time, nonce, signature } = signatureOf(headers);
    if (!wellFormed(time, nonce, signature)) return false;
    return typeof nodeId === 'string' && NODE_ID.test(nodeId) && (await this.find.get(nodeId)) !== undefined;
  }

  private async nodeOf(nodeId: unknown): Promise<NodeRow> {
    if (typeof nodeId !== 'string' || nodeId === '') throw new NodeApiError('NODE_ID_MISSING');
    const node = NODE_ID.test(nodeId) ? await this.find.get(nodeId) : undefined;
    if (!node) throw new NodeApiError('NODE_UNKNOWN');
    return node;
  }

  private checkSignature(request: NodeRequest, headers: IncomingHttpHeaders, node: NodeRow): Shown {
    const { time, nonce, signature } = signatureOf(headers);
    const signed = { method: request.method, url: request.url, body: request.rawBody, time, nonce };
    const right = wellFormed(time, nonce, signature)
      ? this.signingSecrets(node).find((secrets) => sameText(signature, sign(signed, secrets)))
      : undefined;
    if (!right) throw this.refusal('SIGNATURE', request, node);
    return { time: Number(time), nonce, secret: right.nodeSecret };
  }

  private checkSecret(request: NodeRequest, body: AuthenticRequest['body'], node: NodeRow, nonceOptional: boolean): Shown {
    const { node_secret: secret, nonce, timestamp } = body;
    const secrets = this.isOverlapping(node) ? [node.secret, node.previousSecret] : [node.secret];
    const right = typeof secret === 'string' ? secrets.find((known) => sameText(secret, known)) : undefined;
    if (right === undefined) throw this.refusal('SIGNATURE', request, node);
    const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
    if (!nonceOptional && !(isGiven(nonce) && isGiven(timestamp))) throw new NodeApiError('NONCE_MISSING');
    if (isGiven(nonce) && !NONCE.test(String(nonce))) throw new NodeApiError('NONCE_MISSING');
    if (isGiven(timestamp) && !TIME.test(String(timestamp))) throw new NodeApiError('NONCE_MISSING');
    return { time: isGiven(timestamp) ? Number(timestamp) : null, nonce: isGiven(nonce) ? String(nonce) : null, secret: right };
  }

  /**
   * New agents have their own platform secret; older ones use the panel-wide one. In both cases a signature requires the node's own secret.
   */
  private signingSecrets(node: NodeRow): SigningSecrets[] {
    const { nodeApiKey, api } = this.settings.current;
    const panelWide = nodeApiKey || api;
    const pairs = [
      { platformSecret: node.platformSecret, nodeSecret: node.secret },
      { platformSecret: panelWide, nodeSecret: node.secret },
    ];
    if (this.isOverlapping(node)) {
      pairs.push(
        { platformSecret: node.previousPlatformSecret, nodeSecret: node.previousSecret },
        { platformSecret: panelWide, nodeSecret: node.previousSecret },
      );
    }
    return pairs.filter(({ platformSecret }) => platformSecret !== '');
  }

  private isOverlapping(node: NodeRow): boolean {
    return node.previousSecret !== '' && node.previousUntil !== null && fromSqlTime(node.previousUntil) > this.clock.now();
  }

  private refusal(code: 'SIGNATURE' | 'CLOCK' | 'REPLAYED', request: NodeRequest, node: NodeRow): NodeApiError {
    log.warn({ node: node.nodeId, ip: request.ip, reason: code }, 'a request of an agent was refused');
    return new NodeApiError(code);
  }
}
