import type { IncomingMessage, ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';

import { ClientAddress } from '../auth/index.js';
import { NodeApi } from '../node/index.js';
import { failureReply, readBody, sendJson } from '../operations/index.js';

const PATH = '/api/node.php';

/** Where agents enter: body, node API, answer. Source: docs/panel-api.md "Node API". */
@Injectable()
export class NodeApiEntry {
  constructor(
    private readonly api: NodeApi,
    private readonly addresses: ClientAddress,
  ) {}

  /** Serves the request if it is plainly one of an agent; false leaves it to the router. */
  take(req: IncomingMessage, res: ServerResponse): boolean {
    const url = req.url!;
    if (req.method !== 'POST' || !url.startsWith(PATH)) return false;
    if (url.length > PATH.length && url[PATH.length] !== '?') return false;
    void this.serve(req, res);
    return true;
  }

  /** HTTP 200 whatever the answer is; 413 for a body that is too large, 429 for too many requests, 500 when the fault is ours. */
  async serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      // Signatures cover path and query as they were requested, so nothing else of them may be rewritten on the way.
      const url = req.url!.replace(/^https?:\/\/[^/]*/i, '');
      const mark = url.indexOf('?');
      const act = mark < 0 ? '' : (new URLSearchParams(url.slice(mark + 1)).get('act') ?? '');
      const rawBody = await readBody(req, this.api.bodyLimit(act, req.headers));
      const body = await this.api.handle(act, { method: req.method!, url, headers: req.headers, rawBody, ip: this.addresses.of(req) });
      sendJson(res, { status: 200, body });
    } catch (error) {
      const { status, body, headers: told } = failureReply(error, 'zh-CN');
      const headers = status === 413 ? { Connection: 'close' } : told;
      sendJson(res, { status, body: { success: false, code: 400, msg: (body as { msg: string }).msg, data: [] }, headers });
    }
  }
}
