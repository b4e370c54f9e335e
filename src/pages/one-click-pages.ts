import type { ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';

import { OneClick } from '../account/index.js';
import { returnAddress } from '../auth/index.js';
import { AppError, translate } from '../common/index.js';
import { sendRedirect } from '../http/index.js';
import { UserPanelSwitch, type RequestContext } from '../operations/index.js';
import { PageSender } from '../web/index.js';

/** Maximum length of name and password; the login itself is stricter. */
const MAX_FIELD = 1_000;
/** Maximum length of a name passed to the login page. */
const MAX_NAME = 64;

/** Sign-in from another site. Source: docs/panel-api.md "One-click login". */
@Injectable()
export class OneClickPages {
  constructor(
    private readonly oneClick: OneClick,
    private readonly userPanel: UserPanelSwitch,
    private readonly pages: PageSender,
  ) {}

  /** `idcdl.php?gn=logine&username&password`, as a form or in the URL. */
  async withPassword(res: ServerResponse, call: RequestContext): Promise<void> {
    this.userPanel.requireOpen();
    const field = (name: string): string => (call.body[name] ?? call.query[name] ?? '').slice(0, MAX_FIELD);
    if (field('gn') !== 'logine') return this.pages.sendError(res, call, 'user', 404, 'web.not_found', 'web.not_found_text');
    try {
      this.enter(res, await this.oneClick.withPassword(field('username'), field('password'), call));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // After too many attempts the login page is still available, with a captcha. It is also needed for a second factor.
      if (error.code === 'CODE_NEEDED' || (error.code === 'TOO_MANY_TRIES' && (await this.oneClick.loginAsksForCaptcha()))) {
        return sendRedirect(
          res,
          `/user/login?from=link&user=${encodeURIComponent(field('username').trim().slice(0, MAX_NAME).toWellFormed())}`,
        );
      }
      const { text, status = 403 } = error.shape;
      if (typeof error.params.seconds === 'number') res.setHeader('Retry-After', error.params.seconds);
      await this.refuse(res, call, status === 429 ? 429 : 403, translate(call.locale, text, error.params));
    }
  }

  /**
   * `dl.php?t=…`: a one-time link, which redirects to the page `next` of the user side if given. HEAD requests of link
   * previews do not consume it.
   */
  async withLink(res: ServerResponse, call: RequestContext): Promise<void> {
    this.userPanel.requireOpen();
    const cookie = call.method === 'GET' ? await this.oneClick.withLink(call.query.t ?? '', call) : null;
    if (cookie) return this.enter(res, [cookie], returnAddress('user', call.query.next));
    await this.refuse(res, call, 403, translate(call.locale, 'web.link_dead_text'));
  }

  private enter(res: ServerResponse, cookies: readonly string[], page = '/user/'): void {
    res.setHeader('Set-Cookie', cookies);
    // The URL contains a password or a token: it must not be sent as a referrer.
    res.setHeader('Referrer-Policy', 'no-referrer');
    sendRedirect(res, page);
  }

  private refuse(res: ServerResponse, call: RequestContext, status: number, message: string): Promise<void> {
    return this.pages.send(res, call, 'user', 'error', { title: translate(call.locale, 'web.one_click'), message }, { status });
  }
}
