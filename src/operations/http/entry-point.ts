import type { IncomingMessage, ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';

import { CrossSiteCheck } from '../../auth/index.js';
import { chooseLocale } from '../../common/index.js';
import type { Scope } from '../../sdk/index.js';

import { failureReply } from '../envelope.js';
import { OperationError } from '../errors.js';
import { OperationPipeline } from '../pipeline.js';

import { CallFactory } from './call-factory.js';
import { TEXT_TYPE, sendBody, sendHtml, sendJson } from './send.js';

/** Where an AJAX request enters: cross-site check, body, identity, pipeline, answer. */
@Injectable()
export class EntryPoint {
  constructor(
    private readonly crossSite: CrossSiteCheck,
    private readonly calls: CallFactory,
    private readonly pipeline: OperationPipeline,
  ) {}

  /** Serves one AJAX request; every failure becomes an answer. */
  async ajax(side: Scope, req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      if (this.crossSite.refuses(req)) throw new OperationError('CROSS_SITE');
      const call = await this.calls.create(req, side);
      const result = await this.pipeline.run(side, call);
      if (result.kind === 'json') sendJson(res, result.reply);
      else if (result.kind === 'html') sendHtml(res, 200, result.body, call.nonce);
      else sendBody(res, 204, TEXT_TYPE, '');
    } catch (error) {
      sendJson(res, failureReply(error, chooseLocale(undefined, '', req.headers['accept-language'])));
    }
  }
}
