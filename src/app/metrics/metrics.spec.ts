import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestPanel } from '../../../test/support/panel.js';

import { exposition } from './exposition.js';
import { kindOf } from './request-times.js';

it('escapes what Prometheus would misread, and leaves out what has no numbers', () => {
  const labels = { plugin: 'a"b\\c\nd' };
  const metrics = [
    {
      name: 'a',
      type: 'gauge',
      help: 'one\\two\nthree',
      samples: [
        { value: 1.5, labels },
        { value: Infinity, suffix: '_sum' },
      ],
    },
    { name: 'b', type: 'counter', help: 'none', samples: [] },
  ] as const;
  expect(exposition(metrics)).toBe(
    ['# HELP a one\\\\two\\nthree', '# TYPE a gauge', 'a{plugin="a\\"b\\\\c\\nd"} 1.5', 'a_sum +Inf', ''].join('\n'),
  );
});

it('knows a few kinds of requests, whatever is asked for', () => {
  const paths = [
    '/metrics',
    '/admin/ajax.php',
    '/user/ajax.php',
    '/api/api.php',
    '/api/node.php',
    '/admin/',
    '/user/x',
    '/pay/a/notify',
    '/assets/x',
    '/x?',
    '/',
  ];
  expect(paths.map(kindOf)).toEqual([
    'health',
    'admin_operation',
    'user_operation',
    'provisioning_api',
    'node_api',
    'admin_page',
    'user_page',
    'payment',
    'asset',
    'other',
    'other',
  ]);
});

describe('/metrics', () => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await TestPanel.start();
  });
  afterAll(() => panel.close());

  it('tells programs of its own machine what Prometheus can read, in labels nobody outside adds to', async () => {
    await panel.admin('listzj');
    for (const gn of ['no_such_thing', 'p_"}\n', 'x'.repeat(500)]) await panel.admin(gn);
    await panel.fetch('/some/"path"');
    const { status, headers, lines } = await scrape();
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    const form = /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z]+="[^"\n]*",?)+\})? [-+]?([0-9.e+-]+|Inf|NaN))$/;
    expect(lines.filter((line) => !form.test(line))).toEqual([]);
    const typed = lines.filter((line) => line.startsWith('# TYPE')).map((line) => line.split(' ')[2]);
    expect(new Set(typed).size).toBe(typed.length);
    for (const start of [
      'svc_build_info{version="',
      'svc_http_request_duration_seconds_bucket{kind="admin_operation",status="2xx",le="+Inf"} ',
      'svc_operation_duration_seconds_count{side="admin",operation="listzj"} 1',
      'svc_operation_refused_total{side="admin",operation="unknown"} 3',
      'svc_event_deliveries{state="dead"} 0',
      'svc_background_tasks{state="waiting"} ',
      'process_resident_memory_bytes ',
      'svc_event_loop_delay_seconds{kind="p99"} ',
    ])
      expect([start, lines.some((line) => line.startsWith(start))]).toEqual([start, true]);
    expect(lines.join('\n')).not.toMatch(/no_such_thing|xxxx|some/);
  });

  it('tells nothing to what a proxy passes on', async () => {
    for (const header of ['X-Forwarded-For', 'Forwarded', 'Via', 'X-Real-IP'])
      expect((await scrape({ [header]: '127.0.0.1' })).status).toBe(403);
  });

  async function scrape(sent: Record<string, string> = {}) {
    const response = await panel.fetch('/metrics', { headers: sent });
    return { status: response.status, headers: response.headers, lines: (await response.text()).trim().split('\n') };
  }
});

it('asks for its token where it has one, from its own machine too', async () => {
  const token = 'a-token-of-metrics';
  const panel = await TestPanel.start({ METRICS_TOKEN: token });
  const ask = async (authorization?: string): Promise<number> =>
    (
      await panel.fetch('/metrics', {
        headers: { 'X-Forwarded-For': '192.0.2.1', ...(authorization ? { Authorization: authorization } : {}) },
      })
    ).status;
  expect([await ask(), await ask(`Bearer ${token}x`), await ask('Bearer '), await ask(`Bearer ${token}`)]).toEqual([403, 403, 403, 200]);
  await panel.close();
});
