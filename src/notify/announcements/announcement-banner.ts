import { Injectable, type OnModuleInit } from '@nestjs/common';

import { translate } from '../../common/index.js';
import { PageBanners } from '../../theme/index.js';

import { Announcements } from './announcements.js';

/** As many stand above a page; the rest is on theirs. */
const MOST = 3;

/** Announcements above the pages of the user side; their page has the text. */
@Injectable()
export class AnnouncementBanner implements OnModuleInit {
  constructor(
    private readonly banners: PageBanners,
    private readonly announcements: Announcements,
  ) {}

  onModuleInit(): void {
    this.banners.add(async ({ side, account, locale, call }) => {
      if (side !== 'user' || call.path === '/user/announcements') return [];
      const shown = (await this.announcements.current(account.id)).filter(({ banner }) => banner);
      return shown.slice(0, MOST).map(({ id, level, title }) => ({
        id: `announcement-${id}`,
        level,
        text: title,
        action: { label: translate(locale, 'notify.banner_read'), url: `/user/announcements#announcement-${id}` },
      }));
    });
  }
}
