import { createHmac } from 'node:crypto';

import { plainText, type HttpChannel } from '../http-channel.js';

import { errcodeProblem } from './errcode-problem.js';

/** DingTalk group robot, with a signature if a secret is given. Source: https://open.dingtalk.com/document/robots/custom-robot-access */
export const dingtalk: HttpChannel = {
  type: 'dingtalk',
  fields: [
    { name: 'url', required: true, secret: true, address: true },
    { name: 'secret', secret: true },
  ],
  request({ url, secret }, message, now) {
    const target = new URL(url!);
    if (secret) {
      const timestamp = String(now.getTime());
      target.searchParams.set('timestamp', timestamp);
      target.searchParams.set('sign', createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64'));
    }
    return { url: target.href, method: 'POST', body: { msgtype: 'text', text: { content: plainText(message, 15_000) } } };
  },
  problem: errcodeProblem,
};
