import type { NotificationChannel } from '../notification-channel.js';

import { bark } from './bark.js';
import { dingtalk } from './dingtalk.js';
import { feishu } from './feishu.js';
import { ntfy } from './ntfy.js';
import { telegram } from './telegram.js';
import { webhook } from './webhook.js';
import { wecom } from './wecom.js';

/** Every channel there is, in the order they are offered. */
export const NOTIFICATION_CHANNELS: readonly NotificationChannel[] = [webhook, dingtalk, wecom, feishu, telegram, bark, ntfy];
