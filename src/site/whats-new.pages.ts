import { Controller } from '@nestjs/common';

import { localeOf } from '../common/index.js';
import type { RequestContext } from '../operations/index.js';
import { API_VERSION } from '../sdk/index.js';
import { renderMarkdown } from '../theme/index.js';
import { ACTIVITY_MENU, Page } from '../web/index.js';

import { releases, releasesSince } from './changelog.js';
import { SeenVersions } from './whats-new.js';

/** Maximum changes per page. */
const MAX_CHANGES = 40;

/** The changelog page; opening it marks the changes as seen. */
@Controller()
export class WhatsNewPages {
  constructor(private readonly versions: SeenVersions) {}

  @Page({
    side: 'admin',
    path: 'news',
    plain: true,
    title: 'site.menu.news',
    menu: { under: ACTIVITY_MENU, order: 90 },
  })
  async news({ admin, locale, query }: RequestContext): Promise<object> {
    const seen = await this.versions.of(admin!.id);
    const fresh = new Set((await releasesSince(seen)).map(({ version }) => version));
    await this.versions.mark(admin!.id);
    const all = (await releases()).flatMap(({ version, changes }) => changes[localeOf(locale)].map((change) => ({ version, change })));
    const start = Math.max(Math.min(Math.trunc(Number(query.from)) || 0, all.length - 1), 0);
    const part = all.slice(start, start + MAX_CHANGES);
    const shown = [...new Set(part.map(({ version }) => version))].map(async (version) => {
      const list = part.flatMap((one) => (one.version === version ? [`- ${one.change}`] : [])).join('\n');
      return { version, changes: await renderMarkdown(list, { images: false }), is_new: fresh.has(version) };
    });
    return {
      version: API_VERSION,
      releases: await Promise.all(shown),
      newer: start > 0 ? Math.max(start - MAX_CHANGES, 0) : null,
      older: start + MAX_CHANGES < all.length ? start + MAX_CHANGES : null,
    };
  }
}
