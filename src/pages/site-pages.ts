import type { IncomingMessage, ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';

import { CrossSiteCheck } from '../auth/index.js';
import { CORE_OWNER, Faults, runInFrame, sanitizeNotice } from '../common/index.js';
import { HookRegistry } from '../hooks/index.js';
import { sendHtml, sendRedirect } from '../http/index.js';
import { AuthFailure, HomeRegistry, RouteDispatcher, sendAuthFailure, type RequestContext } from '../operations/index.js';
import { HomePage, SiteSettings } from '../site/index.js';
import { trustedHtml, type ThemeSide } from '../theme/index.js';
import { PageSender } from '../web/index.js';

import { toHomeBlocks, type HomeBlock } from './home-blocks.js';

/** Everything outside the two sides: plugins' routes, the home page, and the page for unknown URLs. */
@Injectable()
export class SitePages {
  constructor(
    private readonly routes: RouteDispatcher,
    private readonly homes: HomeRegistry,
    private readonly crossSite: CrossSiteCheck,
    private readonly faults: Faults,
    private readonly settings: SiteSettings,
    private readonly look: HomePage,
    private readonly hooks: HookRegistry,
    private readonly pages: PageSender,
  ) {}

  /** Order of precedence: plugins' routes → plugins' home pages → our own → not found. */
  async serve(req: IncomingMessage, res: ServerResponse, call: RequestContext): Promise<void> {
    const outcome = await this.routes.offer(call, res, this.crossSite.rejects(req));
    if (outcome === 'handled') return;
    if (outcome === 'cross-site') return this.pages.sendError(res, call, 'home', 403, 'web.cross_site', 'web.cross_site_text');
    if (outcome === 'failed') return this.pages.sendError(res, call, 'home', 500, 'web.route_failed', 'web.route_failed_text');
    if (call.path === '/' && (call.method === 'GET' || call.method === 'HEAD')) return this.home(res, call);
    await this.pages.sendError(res, call, sideOf(call), 404, 'web.not_found', 'web.not_found_text');
  }

  private async home(res: ServerResponse, call: RequestContext): Promise<void> {
    for (const { owner, callback } of this.homes.list()) {
      try {
        const result = await runInFrame({ owner, call }, () => callback(call));
        if (typeof result !== 'string' || result === '') continue;
        if (result.startsWith('/') || /^https?:/i.test(result)) return sendRedirect(res, result);
        return sendHtml(res, 200, result, call.nonce);
      } catch (error) {
        if (error instanceof AuthFailure) return sendAuthFailure(res, error.policy, call);
        this.faults.report(owner, 'home page', error);
      }
    }
    const { notice, homeOpen, homeNotice, homeBlocks } = this.settings.current;
    if (!homeOpen) return sendRedirect(res, '/user/');
    const { site, ...look } = this.look.appearance(call.locale);
    const vars = {
      site,
      look,
      notice: notice && homeNotice ? trustedHtml(sanitizeNotice(notice)) : undefined,
      blocks: homeBlocks ? await this.blocks(call) : [],
    };
    await this.pages.send(res, call, 'home', 'index', vars, { plain: true });
  }

  private async blocks(call: RequestContext): Promise<HomeBlock[]> {
    return toHomeBlocks(await runInFrame({ owner: CORE_OWNER, call }, async () => this.hooks.applyByReference('home.blocks', [], call)));
  }
}

/** Below a side's path, signed-in accounts see errors inside the side's frame. */
function sideOf({ path, admin, user }: RequestContext): ThemeSide {
  if (admin && path.startsWith('/admin/')) return 'admin';
  return user && path.startsWith('/user/') ? 'user' : 'home';
}
