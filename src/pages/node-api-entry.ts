import type { IncomingMessage, ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';

import { ClientAddress, addressForLimits } from '../auth/index.js';
import { BodyAdmission, closingHeaders, drain, failureReply, pathOf, queryOf, sendJson } from '../http/index.js';
import { NodeApi, NodeApiError, NodeBodies, type NodeConnection } from '../agents/index.js';
import { DEFAULT_LOCALE, translate } from '../common/index.js';

const PATH = '/api/node.php';

/** Entry point of agents: body, node API, response. Source: docs/panel-api.md "Node API". */
@Injectable()
export class NodeApiEntry {
  constructor(
    private readonly api: NodeApi,
    private readonly bodies: NodeBodies,
    private readonly addresses: ClientAddress,
    private readonly admission: BodyAdmission,
  ) {}

  /** Serves the request if its path matches exactly; returns false to leave it to the router. */
  tryHandle(req: IncomingMessage, res: ServerResponse): boolean {
    if (req.method !== 'POST' || pathOf(req.url!) !== PATH) return false;
    void this.serve(req, res);
    return true;
  }

  /**
   * Responds with HTTP 200, except for 413 if the body is too large, 429 for too many requests, 503 without capacity for the
   * body, and 500 for internal errors.
   */
  async serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      // Signatures cover path and query as requested, so they must not be rewritten.
      const url = req.url!.replace(/^https?:\/\/[^/]*/i, '');
      const act = new URLSearchParams(queryOf(url)).get('act') ?? '';
      const ip = this.addresses.of(req);
      // The sender is unauthenticated until the signature, which covers the body, is verified; until then it counts as a stranger.
      if (act === 'put_body') return await this.take(req, res, url, ip);
      const limit = await this.api.bodyLimit(act, req.headers);
      const rawBody =
        limit === null
          ? await this.withoutBody(req)
          : await this.admission.read(req, { limit, sender: { kind: 'stranger', who: addressForLimits(ip) } });
      const request = { method: req.method!, url, headers: req.headers, rawBody, ip };
      if (act === 'get_body') return await this.bodies.give(res, request);
      const body = await this.api.handle(act, { ...request, connection: connectionOf(res) });
      if (res.destroyed) return;
      sendJson(res, { status: 200, body, headers: closingHeaders(req) });
    } catch (error) {
      if (error instanceof NodeApiError && !res.headersSent) return this.refuse(req, res, error);
      const { status, body, headers } = failureReply(error, 'zh-CN');
      sendJson(res, {
        status,
        body: { success: false, code: 400, msg: (body as { msg: string }).msg, data: [] },
        headers: { ...headers, ...closingHeaders(req) },
      });
    } finally {
      this.admission.done(req);
    }
  }

  /** The body is streamed; its task limits how long it may take. */
  private async take(req: IncomingMessage, res: ServerResponse, url: string, ip: string): Promise<void> {
    const data = await this.bodies.take(req, res, { method: req.method!, url, headers: req.headers, ip });
    sendJson(res, {
      status: 200,
      body: { ...data, success: true, code: 200, msg: translate(DEFAULT_LOCALE, 'node.api_body_taken'), data },
    });
  }

  private refuse(req: IncomingMessage, res: ServerResponse, error: NodeApiError): void {
    sendJson(res, { status: 200, body: this.api.refused(error), headers: closingHeaders(req) });
  }

  /** For a request that is rejected regardless of its body: the body is discarded. */
  private async withoutBody(req: IncomingMessage): Promise<Buffer> {
    await drain(req);
    return Buffer.alloc(0);
  }
}

function connectionOf(res: ServerResponse): NodeConnection {
  return { isGone: () => res.destroyed, onGone: (listener) => void res.once('close', listener) };
}
