import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Post, Req, Res } from '@nestjs/common';

import { EACH_ITS_OWN } from '../../auth/index.js';
import { Limited } from '../../http/index.js';
import type { Scope } from '../../sdk/index.js';

import { AjaxEntry } from './ajax-entry.js';

/** The two AJAX entry points. Source: docs/panel-api.md "AJAX". */
@Limited(EACH_ITS_OWN)
@Controller()
export class AjaxController {
  constructor(private readonly entry: AjaxEntry) {}

  @Post('admin/ajax.php')
  admin(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.serve('admin', req, res);
  }

  @Post('user/ajax.php')
  user(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.serve('user', req, res);
  }

  private serve(side: Scope, req: IncomingMessage, res: ServerResponse): Promise<void> {
    return this.entry.ajax(side, req, res);
  }
}
