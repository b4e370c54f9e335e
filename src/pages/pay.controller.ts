import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';

import { Limited } from '../http/index.js';
import { WebEntry } from '../web/index.js';

import { PayPages } from './pay-pages.js';

/** Payment pages for buyers. The callbacks of gateways (`/pay/{slug}/notify`, `/return`) are routes of their plugins. */
@Limited('public')
@Controller('pay/order')
export class PayController {
  constructor(
    private readonly entry: WebEntry,
    private readonly pages: PayPages,
  ) {}

  @Get(':number')
  show(@Req() req: IncomingMessage, @Res() res: ServerResponse, @Param('number') number: string): Promise<void> {
    return this.entry.open(req, res, 'public', (call) => this.pages.show(res, call, number));
  }

  @Post(':number')
  pay(@Req() req: IncomingMessage, @Res() res: ServerResponse, @Param('number') number: string): Promise<void> {
    return this.entry.form(req, res, 'public', (call) => this.pages.pay(res, call, number));
  }

  @Get(':number/receipt')
  receipt(@Req() req: IncomingMessage, @Res() res: ServerResponse, @Param('number') number: string): Promise<void> {
    return this.entry.open(req, res, 'public', (call) => this.pages.receipt(res, call, number));
  }

  @Post(':number/receipt')
  makeReceipt(@Req() req: IncomingMessage, @Res() res: ServerResponse, @Param('number') number: string): Promise<void> {
    return this.entry.form(req, res, 'public', (call) => this.pages.makeReceipt(res, call, number));
  }

  @Get(':number/status')
  status(@Req() req: IncomingMessage, @Res() res: ServerResponse, @Param('number') number: string): Promise<void> {
    return this.entry.open(req, res, 'public', (call) => this.pages.status(res, call, number));
  }
}
