import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Post, Req, Res } from '@nestjs/common';
import { EACH_ITS_OWN } from '../auth/index.js';
import { Limited } from '../http/index.js';

import { NodeApiEntry } from './node-api-entry.js';

/** The API of agents, for requests that come through the router. */
@Limited(EACH_ITS_OWN)
@Controller()
export class NodeApiController {
  constructor(private readonly entry: NodeApiEntry) {}

  @Post('api/node.php')
  serve(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.serve(req, res);
  }
}
