import { Injectable, type OnModuleInit } from '@nestjs/common';

import { translate } from '../common/index.js';
import { PageBanners, type PageBanner } from '../theme/index.js';

import { PluginReconciler } from './plugin-reconciler.js';

/** Shows administrators on every page that plugins are stopped: all by safe mode, or one by quarantine. */
@Injectable()
export class PluginBanners implements OnModuleInit {
  constructor(
    private readonly banners: PageBanners,
    private readonly running: PluginReconciler,
  ) {}

  onModuleInit(): void {
    this.banners.add(({ side, locale }) => {
      if (side !== 'admin') return [];
      if (this.running.safeMode) return [safeModeBanner(locale)];
      return [...this.running.failures].flatMap(([slug, { code, params }]): PageBanner[] =>
        code === 'QUARANTINED'
          ? [
              {
                id: `quarantine-${slug}`,
                level: 'danger',
                text: translate(locale, 'plugins.banner_quarantined', { ...params, slug }),
                action: { label: translate(locale, 'plugins.retry'), operation: 'plugin_retry', fields: { slug } },
              },
            ]
          : [],
      );
    });
  }
}

function safeModeBanner(locale: Parameters<typeof translate>[0]): PageBanner {
  return {
    id: 'safe-mode',
    level: 'warning',
    text: translate(locale, 'plugins.banner_safe_mode'),
    action: {
      label: translate(locale, 'plugins.leave_safe_mode'),
      operation: 'plugin_safe_mode',
      fields: { enabled: 'false' },
      confirm: translate(locale, 'plugins.leave_safe_mode_confirm'),
    },
  };
}
