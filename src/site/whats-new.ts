import { Controller, Injectable, type OnModuleInit } from '@nestjs/common';

import { AppError, localeOf, translate, type ErrorShape } from '../common/index.js';
import { Database } from '../database/index.js';
import { NoInput, Operation, type RequestContext, SuccessReply } from '../operations/index.js';
import { API_VERSION, type CallContext } from '../sdk/index.js';
import { PageBanners, renderMarkdown } from '../theme/index.js';
import { ACTIVITY_MENU, Page } from '../web/index.js';

import { releases, releasesSince } from './changelog.js';

/** Which version each administrator has seen what is new of. */
@Injectable()
export class SeenVersions {
  private readonly seen;
  private readonly see;

  constructor(database: Database) {
    this.seen = database.statement<{ version: string }>(
      'SELECT {Administrator.seenVersion} AS version FROM {Administrator} WHERE {Administrator.id} = ?',
    );
    this.see = database.statement(
      'UPDATE {Administrator} SET {Administrator.seenVersion} = ? WHERE {Administrator.id} = ? AND {Administrator.seenVersion} <> ?',
    );
  }

  /** Empty for one who has seen none. */
  async of(administrator: number): Promise<string> {
    return (await this.seen.get(administrator))?.version ?? '';
  }

  /** From now on there is nothing new for him. */
  async mark(administrator: number): Promise<void> {
    await this.see.run(API_VERSION, administrator, API_VERSION);
  }
}

/** What is new, for programs. Source: docs/panel-api.md. */
@Injectable()
export class WhatsNewOperations {
  constructor(private readonly versions: SeenVersions) {}

  @Operation({ side: 'admin', gn: 'xtbb', auth: 'admin', input: NoInput, audit: null, rate: 'read', own: true })
  async show(_input: NoInput, { admin, locale }: CallContext): Promise<SuccessReply> {
    const seen = await this.versions.of(admin!.id);
    const news = await releasesSince(seen);
    const gx = news.map(({ version, changes }) => ({ bb: version, nr: changes[localeOf(locale)] }));
    return new SuccessReply('site.version', { bb: API_VERSION, kg: seen, gx }, { version: API_VERSION });
  }

  /** Refused by name, with what to do: a panel that replaced its own files while it runs could lose both versions. @throws UpdateByHand */
  @Operation({ side: 'admin', gn: 'update', auth: 'admin', input: NoInput, audit: null, rate: 'read' })
  update(): never {
    throw new UpdateByHand('UPDATE_BY_HAND');
  }
}

/** A version is put in place on the server, by who may stop the panel there. */
class UpdateByHand extends AppError<'UPDATE_BY_HAND'> {
  get shape(): ErrorShape {
    return { err: 'E_DISABLED', text: 'site.update_by_hand' };
  }
}

/** The page of what is new, which is seen by opening it. */
@Controller()
export class WhatsNewPages {
  constructor(private readonly versions: SeenVersions) {}

  @Page({
    side: 'admin',
    path: 'news',
    plain: true,
    title: 'theme.menu.news',
    menu: { under: ACTIVITY_MENU, order: 90 },
  })
  async news({ admin, locale }: RequestContext): Promise<object> {
    const seen = await this.versions.of(admin!.id);
    const fresh = new Set((await releasesSince(seen)).map(({ version }) => version));
    await this.versions.mark(admin!.id);
    const shown = (await releases()).map(async ({ version, changes }) => {
      const list = changes[localeOf(locale)].map((change) => `- ${change}`).join('\n');
      return { version, changes: await renderMarkdown(list, { images: false }), is_new: fresh.has(version) };
    });
    return { version: API_VERSION, releases: await Promise.all(shown) };
  }
}

/** Says on every page that the panel is another version than the one an administrator has seen, until he has looked. */
@Injectable()
export class WhatsNewBanner implements OnModuleInit {
  constructor(
    private readonly banners: PageBanners,
    private readonly versions: SeenVersions,
  ) {}

  onModuleInit(): void {
    this.banners.add(async ({ side, account, call, locale }) => {
      if (side !== 'admin' || call.path === '/admin/news' || (await this.versions.of(account.id)) === API_VERSION) return [];
      const action = { label: translate(locale, 'site.news_look'), url: '/admin/news' };
      return [{ id: 'news', level: 'info' as const, text: translate(locale, 'site.news', { version: API_VERSION }), action }];
    });
  }
}
