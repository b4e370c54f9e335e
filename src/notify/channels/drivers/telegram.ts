import { jsonOf, plainText, statusProblem, type HttpChannel } from '../http-channel.js';

/** Telegram bot. Source: https://core.telegram.org/bots/api#sendmessage */
export const telegram: HttpChannel = {
  type: 'telegram',
  fields: [
    { name: 'token', required: true, secret: true },
    { name: 'chat', required: true },
    { name: 'server', standard: 'https://api.telegram.org', address: true },
  ],
  request: ({ server, token, chat }, message) => ({
    url: `${server!.replace(/\/+$/, '')}/bot${encodeURIComponent(token!).replace(/%3A/g, ':')}/sendMessage`,
    method: 'POST',
    body: { chat_id: chat, text: plainText(message, 4_000), link_preview_options: { is_disabled: true } },
  }),
  problem(answer) {
    const { ok, description } = jsonOf(answer);
    if (ok === true) return null;
    return typeof description === 'string' ? description : (statusProblem(answer) ?? 'not a response of Telegram');
  },
};
