import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { StoreItem } from '../../src/store/index.js';
import { submit } from '../support/store-packages.js';
import { TestStore, type StoreClient } from '../support/store.js';

let store: TestStore;
let author: StoreClient;
beforeAll(async () => {
  store = await TestStore.start();
  author = await store.member('Author');
});
afterAll(() => store.close());

const TWO_LINES = '<pre>one\ntwo</pre>';
const ask = (id: number, description: string) => author.call<{ requests: number }>('PUT', `/developer/items/${id}`, { description });

describe('the line breaks of a description', () => {
  it('are normalized for every form: unchanged text is no change', async () => {
    // As browsers send line breaks in a form with a file.
    const { data: item } = await submit(author, 'lines', { description: TWO_LINES.replace('\n', '\r\n') });
    expect((await author.get(`/developer/items/${item.id}`)).data.description).toBe(TWO_LINES);
    for (const same of [TWO_LINES, TWO_LINES.replace('\n', '\r'), TWO_LINES.replace('\n', '&#13;&#10;')])
      expect(await ask(item.id, same)).toMatchObject({ status: 200, data: { requests: 0 } });
  });

  it('are no change either for an item stored with others', async () => {
    const { data: item } = await submit(author, 'old-lines');
    await store.database.repository(StoreItem).update({ id: item.id }, { description: TWO_LINES.replace('\n', '\r\n') });
    expect(await ask(item.id, TWO_LINES)).toMatchObject({ data: { requests: 0 } });
    expect(await ask(item.id, `${TWO_LINES}!`)).toMatchObject({ data: { requests: 1 } });
  });
});

describe('a preview', () => {
  const preview = (description: unknown, client = author) =>
    client.call<{ description: string }>('POST', '/developer/preview', { description });

  it.each([
    ['words', 'Only words'],
    [
      'what stays',
      '<h2>A</h2><table><tr><td colspan="2">1</td></tr></table><pre><code class="language-js">x</code></pre><a ' +
        'href="https://example.org/" title="t">b</a><img src="https://example.org/a.png" alt="c">',
    ],
    [
      'what goes',
      '<p onclick="x()" style="color:red">Hi<script>alert(1)</script><svg onload=x><style>p{}</style></p><a ' +
        'href="javascript:x()">y</a><img src=x onerror=x><iframe src=//evil.example></iframe>',
    ],
    ['marks that do not show', '<p>a&#x202e;b\u202ec\0</p>'],
    ['lines', '<pre>one\r\ntwo\rthree\n</pre>\n'],
    ['broken tags', '<div><p>One<b>two</div></i>&lt;script&gt;'],
  ])('equals the stored item: %s', async (name, html) => {
    const { status, data } = await preview(html);
    expect(status).toBe(200);
    const { data: item } = await submit(author, `as-${name.replaceAll(' ', '-')}`, { description: html });
    expect((await author.get(`/developer/items/${item.id}`)).data.description).toBe(data.description);
    // Sending the returned description is no change.
    expect(await ask(item.id, data.description)).toMatchObject({ data: { requests: 0 } });
  });

  it('rejects what an item would be rejected for, with the same message', async () => {
    const { data: item } = await submit(author, 'refusals');
    for (const html of ['', '<script>1</script>', 'x'.repeat(64_001), '&'.repeat(30_000), 'x'.repeat(102_401)]) {
      const refused = await preview(html);
      expect(refused.status).toBe(400);
      const { status, msg } = await ask(item.id, html);
      expect([status, msg]).toEqual([400, refused.msg]);
    }
    for (const wrong of [undefined, null, 7, ['x'], {}]) expect(await preview(wrong)).toMatchObject({ status: 400, msg: '请填写简介' });
    expect((await author.call('POST', '/developer/preview', { description: 'x'.repeat(600_000) })).status).toBe(413);
    expect((await preview('x', store.visitor())).status).toBe(401);
  });
});
