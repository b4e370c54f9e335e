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

describe('the lines of a description', () => {
  it('end in one way, however a form sends them: what nobody changed is no change', async () => {
    // As browsers send the lines of a text in a form with a file.
    const { data: item } = await submit(author, 'lines', { description: TWO_LINES.replace('\n', '\r\n') });
    expect((await author.get(`/developer/items/${item.id}`)).data.description).toBe(TWO_LINES);
    for (const same of [TWO_LINES, TWO_LINES.replace('\n', '\r'), TWO_LINES.replace('\n', '&#13;&#10;')]) expect(await ask(item.id, same)).toMatchObject({ status: 200, data: { requests: 0 } });
  });

  it('are no change of an item that was kept with others either', async () => {
    const { data: item } = await submit(author, 'old-lines');
    await store.database.repository(StoreItem).update({ id: item.id }, { description: TWO_LINES.replace('\n', '\r\n') });
    expect(await ask(item.id, TWO_LINES)).toMatchObject({ data: { requests: 0 } });
    expect(await ask(item.id, `${TWO_LINES}!`)).toMatchObject({ data: { requests: 1 } });
  });
});
