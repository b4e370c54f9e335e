import { translate, type Locale } from '../../common/index.js';
import type { NoticeChannel } from '../entities/index.js';

import type { NotificationChannel } from './notification-channel.js';

/**
 * Returns the title of a channel's kind; for a disabled plugin its internal name.
 *
 * @param kind undefined while the plugin is disabled
 */
export function kindTitle(
  { plugin, type }: Pick<NoticeChannel, 'plugin' | 'type'>,
  kind: NotificationChannel | undefined,
  locale: Locale,
): string {
  return kind ? kind.title(locale) : translate(locale, 'notify.channel_of_plugin', { plugin, kind: type });
}
