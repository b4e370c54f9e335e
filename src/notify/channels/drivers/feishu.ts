import { createHmac } from 'node:crypto';

import { jsonOf, plainText, statusProblem, type HttpChannel } from '../http-channel.js';

/**
 * Feishu group bot, with a signature if a secret is given: the key is `timestamp\nsecret`, the signed text is empty. Source:
 * https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
 */
export const feishu: HttpChannel = {
  type: 'feishu',
  fields: [
    { name: 'url', required: true, secret: true, address: true },
    { name: 'secret', secret: true },
  ],
  request({ url, secret }, message, now) {
    const timestamp = String(Math.floor(now.getTime() / 1_000));
    const sign = secret && createHmac('sha256', `${timestamp}\n${secret}`).update('').digest('base64');
    const signed = sign ? { timestamp, sign } : {};
    return { url: url!, method: 'POST', body: { ...signed, msg_type: 'text', content: { text: plainText(message, 15_000) } } };
  },
  problem(answer) {
    const { code, msg, StatusCode } = jsonOf(answer);
    if (code === 0 || StatusCode === 0) return null;
    return code === undefined ? (statusProblem(answer) ?? 'not a response of a bot') : `${String(code)} ${String(msg)}`;
  },
};
