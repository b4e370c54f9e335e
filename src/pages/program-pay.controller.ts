import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Get, Post, Req, Res, UseGuards } from '@nestjs/common';

import { AppError, translate } from '../common/index.js';
import { Limited, sendRedirect } from '../http/index.js';
import { type RequestContext, UserGuard } from '../operations/index.js';
import { PaymentMethods } from '../payment/index.js';
import { PROGRAM_SCENE, ProgramOrderError, ProgramOrders } from '../programs/index.js';
import { PageSender, WebEntry } from '../web/index.js';

import { PayPages } from './pay-pages.js';

/** `POST /user/pay.php`: forms of other front ends order a program and are led to the gateway. Source: spec ajax.md 15. */
@UseGuards(UserGuard)
@Controller('user')
export class ProgramPayController {
  constructor(
    private readonly entry: WebEntry,
    private readonly orders: ProgramOrders,
    private readonly methods: PaymentMethods,
    private readonly pay: PayPages,
    private readonly pages: PageSender,
  ) {}

  @Limited('order')
  @Post('pay.php')
  order(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.side(req, res, 'user', (call) => this.place(res, call));
  }

  @Limited('public')
  @Get('pay.php')
  redirect(@Res() res: ServerResponse): void {
    sendRedirect(res, '/user/programs');
  }

  private async place(res: ServerResponse, call: RequestContext): Promise<void> {
    try {
      const { pay_lx: scene, id = '', type = '' } = call.body;
      const offered = (await this.methods.available()).some((method) => method.type === type);
      if (scene !== PROGRAM_SCENE || !offered) throw new ProgramOrderError('METHOD');
      const order = await this.orders.place({ hostId: call.user!.id, programId: /^\d{1,9}$/.test(id) ? Number(id) : 0, ip: call.ip });
      await this.pay.lead(res, call, order);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const message = translate(call.locale, error.shape.text, error.params);
      await this.pages.send(res, call, 'user', 'error', { title: translate(call.locale, 'web.program_order'), message }, { status: 400 });
    }
  }
}
