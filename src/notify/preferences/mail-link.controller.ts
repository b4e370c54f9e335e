import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Get, Post, Req, Res } from '@nestjs/common';

import { Clock, translate, type TextParams } from '../../common/index.js';
import { Limited } from '../../http/index.js';
import type { RequestContext } from '../../operations/index.js';
import { PageSender, WebEntry } from '../../web/index.js';

import { Preferences } from '../receivers/index.js';

import { MAIL_LINK_PATH, MailLinks, type MailLink } from './mail-links.js';

/**
 * Handles links in mails. GET only shows a page, because virus scanners follow links; the action needs the button or the one-click POST of
 * mail programs (RFC 8058). The link itself is the credential, as it was sent to that person only.
 */
@Limited('public')
@Controller(MAIL_LINK_PATH.slice(1))
export class MailLinkController {
  constructor(
    private readonly entry: WebEntry,
    private readonly pages: PageSender,
    private readonly links: MailLinks,
    private readonly preferences: Preferences,
    private readonly clock: Clock,
  ) {}

  @Get()
  ask(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.open(req, res, 'public', async (call) => {
      if (this.pages.switchLanguage(res, call)) return;
      const link = this.linkOf(call);
      if (!link) return this.refuse(res, call);
      await this.show(res, call, link, String(call.query.t));
    });
  }

  @Post()
  act(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.open(req, res, 'public', async (call) => {
      const link = this.linkOf(call);
      if (!link) return this.refuse(res, call);
      const { side, accountId } = link;
      await this.preferences.change(side, accountId, (row) =>
        link.does === 'confirm' ? { email: link.email } : { off: [...new Set([...row.off, `${link.kind}.mail`])] },
      );
      await this.show(res, call, link, '');
    });
  }

  private linkOf(call: RequestContext): MailLink | null {
    const link = this.links.read(call.query.t);
    return link?.does === 'confirm' && link.until < this.clock.now().getTime() ? null : link;
  }

  /** @param token empty once the action is done */
  private show(res: ServerResponse, call: RequestContext, link: MailLink, token: string): Promise<void> {
    const params: TextParams = link.does === 'confirm' ? { email: link.email } : { kind: { key: `notify.kind.${link.kind}` } };
    const say = (key: string): string => translate(call.locale, `notify.link_${link.does}_${key}`, params);
    return this.pages.send(res, call, 'home', 'mail-link', {
      title: say('title'),
      text: say(token === '' ? 'done' : 'text'),
      label: say('button'),
      action: token && `${MAIL_LINK_PATH}?t=${encodeURIComponent(token)}`,
    });
  }

  private refuse(res: ServerResponse, call: RequestContext): Promise<void> {
    return this.pages.sendError(res, call, 'home', 404, 'notify.link_wrong_title', 'notify.link_wrong');
  }
}
