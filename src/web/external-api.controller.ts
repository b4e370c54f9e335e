import type { IncomingMessage, ServerResponse } from 'node:http';

import { All, Controller, Get, Req, Res } from '@nestjs/common';

import { EACH_ITS_OWN, RateLimited } from '../auth/index.js';
import { DEFAULT_LOCALE } from '../common/index.js';
import { ExternalApi } from '../hosting/index.js';
import { BodyAdmission, closingHeaders } from '../http/index.js';
import { CallFactory, FORM_ONLY, Limited, failureReply, sendJson } from '../operations/index.js';
import { API_VERSION } from '../sdk/index.js';

/** `1.84.0` as clients compare it: 18.4. */
const VERSION_NUMBER = versionNumber(API_VERSION);

/** The provisioning API that shops call. Source: docs/panel-api.md "Provisioning API". */
@Limited('public')
@Controller()
export class ExternalApiController {
  constructor(
    private readonly calls: CallFactory,
    private readonly admission: BodyAdmission,
    private readonly api: ExternalApi,
  ) {}

  /**
   * HTTP 200 whatever the answer is, but for 429 and 503 (no room for the body): known clients take any other status for a network error.
   * Fields are read from the body alone, so a GET is an empty form: keys do not belong in addresses.
   */
  @All('api/api.php')
  @Limited(EACH_ITS_OWN)
  async serve(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    try {
      const call = await this.calls.create(req, 'public', FORM_ONLY);
      const answer = await this.api.handle(call.query.gn ?? call.gn ?? '', call.body, call.ip);
      sendJson(res, { status: 200, body: answer });
    } catch (error) {
      const { status, body, headers } = failureReply(error, DEFAULT_LOCALE);
      const answer = { success: false, code: 100, msg: (body as { msg: string }).msg };
      sendJson(res, { status: error instanceof RateLimited || status === 503 ? status : 200, body: answer, headers: { ...headers, ...closingHeaders(req) } });
    } finally {
      this.admission.done(req);
    }
  }

  /** What clients ask for a version before they call anything. */
  @Get('xx.php')
  version(@Res() res: ServerResponse): void {
    sendJson(res, { status: 200, body: { code: 200, vs: VERSION_NUMBER } });
  }
}

function versionNumber(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return (major * 1_000 + minor * 10 + patch) / 100;
}
