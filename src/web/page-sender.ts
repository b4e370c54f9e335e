import type { ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';

import { accessOf } from '../auth/index.js';
import { translate } from '../common/index.js';
import { HookRegistry } from '../hooks/index.js';
import { sendBody, sendHtml, switchLanguage, TEXT_TYPE } from '../http/index.js';
import type { RequestContext } from '../operations/index.js';
import type { MenuRecord, Scope } from '../sdk/index.js';
import { MenuRegistry, PageBanners, ThemeRenderer, type MenuItem, type MenuOptions, type ThemeSide } from '../theme/index.js';

import { inSections } from './menu-sections.js';
import { NoticeBell } from './notice-bell.js';
import { PageAccess } from './page-access.js';
import { isTried, wholePage } from './plain-pages.js';
import { SiteBrand } from './site-brand.js';

/** Options of sending a page. */
export interface PageOptions {
  readonly status?: number;
  /** Origins or schemes a form of this page may post to besides this site. */
  readonly formTargets?: readonly string[];
  /** See {@link PageDeclaration.plain}. */
  readonly plain?: boolean;
}

/** Renders a view of the theme and sends it with the headers common to all pages. */
@Injectable()
export class PageSender {
  constructor(
    private readonly themes: ThemeRenderer,
    private readonly menus: MenuRegistry,
    private readonly banners: PageBanners,
    private readonly bell: NoticeBell,
    private readonly hooks: HookRegistry,
    private readonly brand: SiteBrand,
    private readonly pageAccess: PageAccess,
  ) {}

  /** Sends `view` of `side`; panel views also get menu, account and banners. */
  async send(
    res: ServerResponse,
    call: RequestContext,
    side: ThemeSide,
    view: string,
    vars: Record<string, unknown> = {},
    options: PageOptions = {},
  ): Promise<void> {
    const plain = (options.plain ?? false) && side !== 'pay';
    const whole = plain ? null : wholePage(call);
    if (whole !== null) return sendBody(res, 200, TEXT_TYPE, '', { 'HX-Redirect': whole });
    const scope = side === 'admin' || side === 'user' ? side : null;
    const account = scope === 'admin' ? call.admin : scope === 'user' ? call.user : null;
    const rendered = await this.themes.render(
      side,
      view,
      {
        ...(scope && account ? { account: { username: account.username }, ...(await this.frameOf(scope, account, call)) } : {}),
        ...vars,
        site: {
          name: this.brand.name,
          logo: this.brand.logos,
          icon: this.brand.icon,
          footer: plainText(this.brand.copyright),
          ...(vars.site as object | undefined),
        },
      },
      { locale: call.locale, nonce: call.nonce, call },
    );
    const { html, digests } = this.themes.scripted(rendered, { side, view, plain, call });
    const policy = { formTargets: options.formTargets, scripts: digests, apart: !plain && !isTried(call) };
    sendHtml(res, options.status ?? 200, html, call.nonce, policy);
  }

  /** Sends an error page with a message and a link. */
  async sendError(
    res: ServerResponse,
    call: RequestContext,
    side: ThemeSide,
    status: number,
    titleKey: string,
    messageKey: string,
    params = {},
  ): Promise<void> {
    await this.send(
      res,
      call,
      side,
      'error',
      { title: translate(call.locale, titleKey), message: translate(call.locale, messageKey, params) },
      { status },
    );
  }

  /** Sends the page for {@link PageMissing}. */
  sendMissing(res: ServerResponse, call: RequestContext, side: ThemeSide): Promise<void> {
    return this.sendError(res, call, side, 404, 'web.not_found', 'web.not_found_text');
  }

  /** Handles `?lang=` on any page: stores the choice and redirects to the URL without it. Returns true if it did. */
  switchLanguage(res: ServerResponse, call: RequestContext): boolean {
    return call.method === 'GET' && switchLanguage(res, call.path, new URLSearchParams(call.query));
  }

  /** Returns the frame around the content of a panel page. */
  private async frameOf(side: Scope, { id, username }: { id: number; username: string }, call: RequestContext): Promise<object> {
    const [menu, bell, banners] = await Promise.all([
      this.menuOf(side, call),
      this.bell.of(side, id),
      this.banners.build({ side, account: { id, username }, locale: call.locale, call }),
    ]);
    const shown = (items: readonly MenuItem[]) => inSections(side, items, call.locale);
    if (side === 'user') return { menu: shown(await this.pageAccess.ownMenu(call, menu)), banners, bell };
    const access = accessOf(call.admin);
    return { menu: shown(this.pageAccess.menu(access, menu)), banners: this.pageAccess.banners(access, banners), bell };
  }

  private menuOf(scope: Scope, call: RequestContext): Promise<MenuItem[]> {
    const search = new URLSearchParams(call.query as Record<string, string>).toString();
    const hook = `menu.${scope}` as const;
    const apply: MenuOptions['apply'] = async (list) => (await this.hooks.applyByReference(hook, list as MenuRecord[])) as typeof list;
    return this.menus.buildMenu(scope, {
      locale: call.locale,
      current: search ? `${call.path}?${search}` : call.path,
      ...(this.hooks.listeners(hook).length > 0 ? { apply } : {}),
    });
  }
}

/** Removes markup that older programs put into the text. */
function plainText(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
