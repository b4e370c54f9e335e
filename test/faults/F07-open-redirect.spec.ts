import { connect } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestPanel } from '../support/panel.js';

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start({ SERVICES: 'panel,store,worker' });
});
afterAll(() => panel?.close());

/** Where a request is redirected; the target is sent unchanged, which neither fetch nor an agent does. */
function locationOf(target: string, method = 'GET'): Promise<string> {
  const { hostname, port } = new URL(panel.url);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${method} ${target} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`),
    );
    socket
      .setEncoding('utf8')
      .on('data', (part: string) => (text += part))
      .on('error', reject);
    socket.on('close', () => resolve(/^location: (.*)\r$/im.exec(text)?.[1] ?? ''));
  });
}

describe('F7 open redirect', () => {
  const ends = ['?lang=en', '?lang=zh-CN&x=1', 'user/login.php', 'admin/index.php?a=b', '?next=//evil.test/&lang=en'];
  it.each([
    '//evil.test/',
    '/\\evil.test/',
    '///evil.test/',
    '/\\/evil.test/',
    '//evil.test\\',
    'http://evil.test/',
    '//evil.test//store/',
    '/.//evil.test/',
  ])('%s stays on this site', async (start) => {
    for (const end of ends) {
      for (const method of ['GET', 'POST']) {
        const location = await locationOf(start + end, method);
        expect(new URL(location, panel.url).origin, `${method} ${start}${end} → ${location}`).toBe(panel.url);
      }
    }
  });

  it('the language can still be switched, on pages of panel and store', async () => {
    expect(await locationOf('/admin/login?lang=en&x=1')).toBe('/admin/login?x=1');
    expect(await locationOf('/store/?lang=en')).toBe('/store/');
    expect(await locationOf('//evil.test/?lang=en')).toBe('/evil.test/');
  });
});
