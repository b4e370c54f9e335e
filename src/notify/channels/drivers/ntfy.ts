import { jsonOf, statusProblem, type HttpChannel } from '../http-channel.js';

const PRIORITY = { info: 3, success: 3, warning: 4, danger: 5 } as const;

/** ntfy topic. Source: https://docs.ntfy.sh/publish/#publish-as-json */
export const ntfy: HttpChannel = {
  type: 'ntfy',
  fields: [
    { name: 'topic', required: true },
    { name: 'server', standard: 'https://ntfy.sh', address: true },
    { name: 'token', secret: true },
  ],
  request: ({ server, topic, token }, { title, text, link, site, level }) => ({
    url: `${server!.replace(/\/+$/, '')}/`,
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    body: {
      topic,
      title: `[${site}] ${title}`,
      message: text.slice(0, 3_500) || title,
      priority: PRIORITY[level],
      ...(link ? { click: link } : {}),
    },
  }),
  problem(answer) {
    const { error } = jsonOf(answer);
    return answer.ok ? null : typeof error === 'string' ? error : statusProblem(answer);
  },
};
