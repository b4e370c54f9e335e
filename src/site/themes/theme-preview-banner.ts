import { Injectable, type OnModuleInit } from '@nestjs/common';

import { translate } from '../../common/index.js';
import { PageBanners, ThemeCatalogue } from '../../theme/index.js';

import { THEMES_PAGE } from './theme-places.js';
import { previewedTheme } from './theme-preview.js';

/** Reminds an administrator on every panel page that they are previewing a theme. */
@Injectable()
export class ThemePreviewBanner implements OnModuleInit {
  constructor(
    private readonly banners: PageBanners,
    private readonly catalogue: ThemeCatalogue,
  ) {}

  onModuleInit(): void {
    this.banners.add(({ call, locale }) => {
      const name = previewedTheme(call);
      if (!name || call.path === THEMES_PAGE) return [];
      const theme = this.catalogue.package(name)?.info.title ?? name;
      const action = { label: translate(locale, 'site.theme_preview_back'), url: THEMES_PAGE };
      return [{ id: 'theme-preview', level: 'info', text: translate(locale, 'site.theme_preview', { theme }), action }];
    });
  }
}
