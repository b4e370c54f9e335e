import { jsonOf, statusProblem, type HttpChannel } from '../http-channel.js';

/** Bark, push messages to iPhones. Source: https://bark.day.app/#/en-us/tutorial */
export const bark: HttpChannel = {
  type: 'bark',
  fields: [
    { name: 'key', required: true, secret: true },
    { name: 'server', standard: 'https://api.day.app', address: true },
  ],
  request: ({ server, key }, { title, text, link, site, level }) => ({
    url: `${server!.replace(/\/+$/, '')}/push`,
    method: 'POST',
    body: {
      device_key: key,
      title: `[${site}] ${title}`,
      body: text.slice(0, 1_500),
      group: site,
      level: level === 'danger' ? 'timeSensitive' : 'active',
      ...(link ? { url: link } : {}),
    },
  }),
  problem(answer) {
    const { code, message } = jsonOf(answer);
    if (code === 200) return null;
    return code === undefined ? (statusProblem(answer) ?? 'not a response of Bark') : `${String(code)} ${String(message)}`;
  },
};
