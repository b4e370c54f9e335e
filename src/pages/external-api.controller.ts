import type { IncomingMessage, ServerResponse } from 'node:http';

import { All, Controller, Get, Req, Res } from '@nestjs/common';

import { EACH_ITS_OWN } from '../auth/index.js';
import { Limited, sendJson } from '../http/index.js';
import { API_VERSION } from '../sdk/index.js';

import { ExternalApiEntry } from './external-api-entry.js';

/** `1.84.0` in the form that clients compare: 18.4. */
const VERSION_NUMBER = versionNumber(API_VERSION);

/** The provisioning API, for requests that come through the router. */
@Limited('public')
@Controller()
export class ExternalApiController {
  constructor(private readonly entry: ExternalApiEntry) {}

  @All('api/api.php')
  @Limited(EACH_ITS_OWN)
  serve(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.serve(req, res);
  }

  /** Version endpoint, requested by clients before any call. */
  @Get('xx.php')
  version(@Res() res: ServerResponse): void {
    sendJson(res, { status: 200, body: { code: 200, vs: VERSION_NUMBER } });
  }
}

function versionNumber(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return (major * 1_000 + minor * 10 + patch) / 100;
}
