import { translate, type Locale } from '../../common/index.js';
import type { NoticeChannel } from '../entities/index.js';

import type { NotificationChannel } from './notification-channel.js';

/**
 * What people call the kind of a channel; of a plugin that is off its own name is all there is.
 *
 * @param kind undefined while the plugin is off
 */
export function kindTitle(
  { plugin, type }: Pick<NoticeChannel, 'plugin' | 'type'>,
  kind: NotificationChannel | undefined,
  locale: Locale,
): string {
  return kind ? kind.title(locale) : translate(locale, 'notify.channel_of_plugin', { plugin, kind: type });
}
