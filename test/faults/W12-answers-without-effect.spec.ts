import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { TestShop } from '../support/provisioning.js';

let shop: TestShop;
beforeAll(async () => {
  shop = await TestShop.start();
});
afterAll(() => shop.panel.close());
beforeEach(() => shop.clear());

const admin = async (gn: string, fields: Record<string, string>) =>
  (await shop.panel.admin(gn, fields)) as unknown as Record<string, unknown>;

describe('W12 PHP of a server that has none', () => {
  it('is no failure: an empty list, nothing to detect, a version that is stored and reported to have no effect', async () => {
    expect(await admin('list_node_php', { btdh: 'local' })).toMatchObject({
      qk: 1,
      versions: [],
      latest: '',
      current_default: '',
      msg: expect.stringContaining('不提供 PHP'),
    });
    expect(await admin('auto_detect_node_php', { btdh: 'local' })).toMatchObject({
      qk: 1,
      version: '',
      msg: expect.stringContaining('不提供 PHP'),
    });
    expect(await admin('set_node_php', { btdh: 'local', version: '82' })).toMatchObject({
      qk: 1,
      msg: expect.stringMatching(/^已设置节点 local 的默认 PHP 版本为 82.*不执行 PHP/),
    });
    expect(await admin('list_node_php', { btdh: 'local' })).toMatchObject({ qk: 1, current_default: '82' });
    const rows = (await shop.panel.admin('listbt')).rows as unknown as Record<string, string>[];
    expect(rows.find(({ btdh }) => btdh === 'local')).toMatchObject({ btdh: 'local', mrbts_php: '82' });
  });

  it('still rejects a missing node or version', async () => {
    expect(await admin('list_node_php', {})).toEqual({ success: false, qk: 0, msg: '请指定节点' });
    expect(await admin('set_node_php', { btdh: 'local', version: '' })).toEqual({ success: false, qk: 0, msg: '参数不完整' });
    expect(await admin('auto_detect_node_php', { btdh: 'nowhere' })).toMatchObject({ qk: 0 });
  });
});

describe('W12 a change of only the number of domains', () => {
  beforeEach(async () => {
    expect(await shop.call('kt', { password: 'secret-1', webdx: '500', ymbds: '3' })).toMatchObject({ code: 200 });
  });

  it('is made when the module sends it', async () => {
    expect(await shop.call('zjmode', { ymbds: '7' })).toEqual({ success: true, code: 200, msg: '主机修改成功' });
    expect(await shop.row()).toMatchObject({ domainQuota: 7, webQuotaMb: 500 });
  });

  it('is rejected with the field names when the module sends nothing at all: nothing changed', async () => {
    for (const fields of [{}, { websize: '', sqlsize: ' ', ll: '' }, { domains: '7' }] as Record<string, string>[]) {
      expect(await shop.call('zjmode', fields)).toEqual({
        success: false,
        code: 100,
        msg: '错误！没有收到要修改的配额，主机未作任何更改！可修改 websize、sqlsize、ll、ymbds、jk_max、bf_max。',
      });
    }
    expect(await shop.row()).toMatchObject({ domainQuota: 3, webQuotaMb: 500 });
  });
});
