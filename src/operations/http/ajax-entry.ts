import type { IncomingMessage, ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';

import { CrossSiteCheck } from '../../auth/index.js';
import {
  BodyAdmission,
  closingHeaders,
  drain,
  failureReply,
  HTML_TYPE,
  pathOf,
  sendBody,
  sendHtml,
  sendJson,
  TEXT_TYPE,
} from '../../http/index.js';
import type { Scope } from '../../sdk/index.js';

import { OperationError } from '../errors.js';
import { OperationPipeline } from '../pipeline.js';

import { CallFactory } from '../call/call-factory.js';

/** Paths of the operations. Source: docs/panel-api.md "AJAX". */
const SIDES: ReadonlyMap<string, Scope> = new Map([
  ['/admin/ajax.php', 'admin'],
  ['/user/ajax.php', 'user'],
]);

/** Entry point of AJAX requests: cross-site check, body, identity, pipeline, answer. */
@Injectable()
export class AjaxEntry {
  constructor(
    private readonly crossSite: CrossSiteCheck,
    private readonly calls: CallFactory,
    private readonly admission: BodyAdmission,
    private readonly pipeline: OperationPipeline,
  ) {}

  /** Serves a request whose path is exactly that of an operation; false leaves it to the router, which also knows other spellings. */
  tryHandle(req: IncomingMessage, res: ServerResponse): boolean {
    if (req.method !== 'POST') return false;
    const side = SIDES.get(pathOf(req.url!));
    if (side === undefined) return false;
    void this.ajax(side, req, res);
    return true;
  }

  /** Serves one AJAX request; every failure becomes an answer. */
  async ajax(side: Scope, req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      if (this.crossSite.rejects(req)) throw new OperationError('CROSS_SITE');
      const call = await this.calls.create(req, res, side);
      const result = await this.pipeline.run(side, call);
      if (result.kind === 'json') sendJson(res, result.reply);
      else if (result.kind === 'text' && result.type === HTML_TYPE) sendHtml(res, 200, result.body, call.nonce);
      else if (result.kind === 'text') sendBody(res, 200, result.type, result.body);
      else sendBody(res, 204, TEXT_TYPE, '');
    } catch (error) {
      await drain(req);
      const reply = failureReply(error, this.calls.localeOf(req));
      sendJson(res, { ...reply, headers: { ...reply.headers, ...closingHeaders(req) } });
    } finally {
      this.admission.done(req);
    }
  }
}
