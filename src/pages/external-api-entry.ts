import type { IncomingMessage, ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';

import { RateLimited } from '../auth/index.js';
import { DEFAULT_LOCALE } from '../common/index.js';
import { ExternalApi } from '../hosting/index.js';
import { BodyAdmission, closingHeaders, failureReply, pathOf, sendJson } from '../http/index.js';
import { CallFactory, FORM_ONLY } from '../operations/index.js';

const PATH = '/api/api.php';

/** Entry point of shops: body, provisioning API, response. Source: docs/panel-api.md "Provisioning API". */
@Injectable()
export class ExternalApiEntry {
  constructor(
    private readonly calls: CallFactory,
    private readonly admission: BodyAdmission,
    private readonly api: ExternalApi,
  ) {}

  /** Serves the request if its path matches exactly; returns false to leave it to the router. */
  tryHandle(req: IncomingMessage, res: ServerResponse): boolean {
    if (pathOf(req.url!) !== PATH) return false;
    void this.serve(req, res);
    return true;
  }

  /**
   * Responds with HTTP 200, except for 429 and 503 (no capacity for the body): known clients treat any other status as a network error.
   * Fields are read from the body only, so a GET is an empty form: keys do not belong in URLs.
   */
  async serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      const call = await this.calls.create(req, res, 'public', FORM_ONLY);
      const answer = await this.api.handle(call.query.gn ?? call.gn ?? '', call.body, call.ip);
      sendJson(res, { status: 200, body: answer });
    } catch (error) {
      const { status, body, headers } = failureReply(error, DEFAULT_LOCALE);
      const answer = { success: false, code: 100, msg: (body as { msg: string }).msg };
      sendJson(res, {
        status: error instanceof RateLimited || status === 503 ? status : 200,
        body: answer,
        headers: { ...headers, ...closingHeaders(req) },
      });
    } finally {
      this.admission.done(req);
    }
  }
}
