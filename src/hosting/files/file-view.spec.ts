import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestPanel } from '../../../test/support/panel.js';
import { Database } from '../../database/index.js';
import { HostingAccount } from '../index.js';

let panel: TestPanel;
let owner: string;
let id: string;
beforeAll(async () => {
  panel = await TestPanel.start();
  owner = await panel.signInUser();
  id = String((await panel.get(Database).repository(HostingAccount).findOneByOrFail({ username: 'owner01' })).id);
});
afterAll(() => panel.close());

async function user(gn: string, fields: Record<string, string> = {}) {
  const body = new URLSearchParams({ gn, ...fields });
  const response = await panel.fetch('/user/ajax.php', { method: 'POST', body, headers: { Cookie: owner } });
  return (await response.json()) as Record<string, unknown>;
}

describe('listfile', () => {
  it('lists a folder of the own site, or of any host for administrators', async () => {
    const row = { id: '/index.html', name: 'index.html', type: 'file', download: 0, size: expect.any(Number), mtime: expect.any(Number) };
    const list = { total: 1, path: '/', cut: false, rows: [expect.objectContaining(row)] };
    expect(await user('listfile', { path: '/' })).toEqual(list);
    expect(await user('listfile')).toEqual(list);
    expect(await panel.admin('listfile', { path: '/', id })).toEqual(list);
    expect(await panel.admin('listfile', { path: '/', id: '99999' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await user('listfile', { path: '/', id: '99999' })).toEqual(list);
    expect(await user('listfile', { path: '/../site.json' })).toMatchObject({ success: false, err: 'E_ARGS' });
  });

  it('lists the files of an expired host for its owner', async () => {
    await panel.admin('zjxf', { id, datae: '2020-01-01' });
    expect(await user('listfile')).toMatchObject({ total: 1 });
    await panel.admin('zjxf', { id, datae: '0' });
  });
});
