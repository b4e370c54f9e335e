import { plainText, type HttpChannel } from '../http-channel.js';

import { errcodeProblem } from './errcode-problem.js';

/** WeCom group robot; texts are limited to 2,048 bytes. Source: https://developer.work.weixin.qq.com/document/path/91770 */
export const wecom: HttpChannel = {
  type: 'wecom',
  fields: [{ name: 'url', required: true, secret: true, address: true }],
  request: ({ url }, message) => ({
    url: url!,
    method: 'POST',
    body: { msgtype: 'text', text: { content: plainText(message, 2_048) } },
  }),
  problem: errcodeProblem,
};
