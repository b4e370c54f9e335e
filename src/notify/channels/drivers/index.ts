import type { HttpChannel } from '../http-channel.js';

import { bark } from './bark.js';
import { dingtalk } from './dingtalk.js';
import { feishu } from './feishu.js';
import { ntfy } from './ntfy.js';
import { telegram } from './telegram.js';
import { webhook } from './webhook.js';
import { wecom } from './wecom.js';

/** Built-in channels, in the order they are offered. */
export const HTTP_CHANNELS: readonly HttpChannel[] = [webhook, dingtalk, wecom, feishu, telegram, bark, ntfy];
