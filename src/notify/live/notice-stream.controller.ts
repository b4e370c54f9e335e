import type { IncomingMessage, ServerResponse } from 'node:http';

import { type ArgumentsHost, Catch, Controller, type ExceptionFilter, Get, Req, Res, UseFilters, UseGuards } from '@nestjs/common';

import { SESSION_COOKIES } from '../../auth/index.js';
import { localeOf } from '../../common/index.js';
import { Limited } from '../../http/index.js';
import { AdminGuard, AuthFailure, Needs, OperationError, Own, UserGuard, callOf } from '../../operations/index.js';
import { NoticeTexts } from '../templates/index.js';

import { NoticeStream } from './notice-stream.js';
import { NoticeStreams } from './notice-streams.js';

const ID = /^\d{1,15}$/;

/** Responds with 204 without permission, which makes EventSource stop reconnecting without an error. */
@Catch(AuthFailure, OperationError)
class NothingToCome implements ExceptionFilter {
  catch(_refusal: unknown, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<ServerResponse>().writeHead(204, { 'Cache-Control': 'no-store' }).end();
  }
}

/** Streams new notices to open pages. Source: docs/panel-api.md "Notices". */
@Controller()
@Limited('read')
@UseFilters(NothingToCome)
export class NoticeStreamController {
  constructor(
    private readonly streams: NoticeStreams,
    private readonly texts: NoticeTexts,
  ) {}

  @Get('admin/notices/events')
  @UseGuards(AdminGuard)
  @Needs()
  @Own()
  ofAdmin(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.open(req, res);
  }

  @Get('user/notices/events')
  @UseGuards(UserGuard)
  @Own()
  ofUser(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.open(req, res);
  }

  private async open(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const call = callOf(req)!;
    const side = call.scope === 'admin' ? 'admin' : 'user';
    if (this.streams.areEnding) return void res.writeHead(503, { 'Retry-After': '5' }).end();
    const owner = { side, accountId: call[side]!.id } as const;
    // The last id seen by a reconnecting browser, otherwise by the page.
    const after = [req.headers['last-event-id'], call.query.after].find((id) => typeof id === 'string' && ID.test(id));
    const locale = localeOf(call.locale);
    const token = call.cookies[SESSION_COOKIES[side]] ?? '';
    const stream = new NoticeStream(owner, token, (notice) => this.texts.of(notice, locale).title, res);
    await this.streams.open(stream, after === undefined ? undefined : Number(after));
  }
}
