import { Injectable, type OnModuleInit } from '@nestjs/common';

import { translate } from '../../common/index.js';
import { PageBanners } from '../../theme/index.js';

import { Announcements } from './announcements.js';

/** Maximum number of banners on a page; the announcements page lists all. */
const MAX_BANNERS = 3;

/** Shows announcement titles as banners on user pages; their page contains the text. */
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
      return shown.slice(0, MAX_BANNERS).map(({ id, level, title }) => ({
        id: `announcement-${id}`,
        level,
        text: title,
        action: { label: translate(locale, 'notify.banner_read'), url: `/user/announcements#announcement-${id}` },
      }));
    });
  }
}
