import type { IncomingMessage, ServerResponse } from 'node:http';

import { type ArgumentsHost, Catch, Controller, type ExceptionFilter, Get, Injectable, Post, Req, Res, UseFilters } from '@nestjs/common';

import { translate } from '../common/index.js';
import { Limited, sendHtml } from '../http/index.js';
import { AdmittedBy, AuthFailure, CallFactory, type RequestContext } from '../operations/index.js';
import { PluginReconciler, SafeModeLink } from '../plugin-registry/index.js';
import { escapeHtml } from '../sdk/index.js';
import { PageFilter, WebEntry } from '../web/index.js';

const STYLE =
  'body{margin:2rem auto;max-width:36rem;padding:0 1rem;font:16px/1.6 system-ui,"PingFang SC","Microsoft ' +
  'YaHei",sans-serif;color-scheme:light dark}button{padding:.6rem 1.2rem;font:inherit}';

/** Tells the visitor of an outdated link that there is a newer one. */
@Injectable()
@Catch(AuthFailure)
class WrongLinkFilter implements ExceptionFilter<AuthFailure> {
  constructor(private readonly calls: CallFactory) {}

  catch(_refused: AuthFailure, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const call = this.calls.known(http.getRequest<IncomingMessage>())!;
    send(http.getResponse<ServerResponse>(), call, 404, `<p>${text(call, 'web.safe_mode_wrong')}</p>`);
  }
}

/**
 * The link in the startup message: asks for confirmation, then stops every plugin of this process. Its pages use no themes, menus
 * or overrides, because a plugin may hang there. Source: docs/operating.md "Safe mode".
 */
@Limited('public')
@AdmittedBy((call, providers) => providers.get(SafeModeLink, { strict: false }).fits(call.query.token))
@UseFilters(PageFilter, WrongLinkFilter)
@Controller('safe-mode')
export class SafeModeController {
  constructor(
    private readonly entry: WebEntry,
    private readonly link: SafeModeLink,
    private readonly plugins: PluginReconciler,
  ) {}

  @Get()
  ask(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.open(req, res, 'public', async (call) => {
      const button =
        `<form method="post" action="${escapeHtml(this.link.path)}"><button ` +
        `type="submit">${text(call, 'web.safe_mode_stop')}</button></form>`;
      send(res, call, 200, `<p>${text(call, 'web.safe_mode_ask')}</p>${button}`);
    });
  }

  @Post()
  stop(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.open(req, res, 'public', async (call) => {
      this.link.renew();
      await this.plugins.enterSafeMode();
      process.stdout.write(`\n  Safe mode is on. The next link to it: ${this.link.path}\n\n`);
      const next = `<p><a href="/admin/plugins">${text(call, 'web.safe_mode_plugins')}</a></p>`;
      send(res, call, 200, `<p>${text(call, 'web.safe_mode_done')}</p>${next}`);
    });
  }
}

function send(res: ServerResponse, call: RequestContext, status: number, body: string): void {
  const title = text(call, 'web.safe_mode');
  sendHtml(
    res,
    status,
    `<!doctype html><html lang="${call.locale}"><head><meta charset="utf-8"><meta name="viewport" ` +
      'content="width=device-width, initial-scale=1"><meta name="referrer" ' +
      `content="no-referrer"><title>${title}</title><style>${STYLE}</style></head>` +
      `<body><main><h1>${title}</h1>${body}</main></body></html>`,
    call.nonce,
  );
}

function text(call: RequestContext, key: string): string {
  return escapeHtml(translate(call.locale, key));
}
