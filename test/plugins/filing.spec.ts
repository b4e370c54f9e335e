import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestPanel } from '../support/panel.js';

let panel: TestPanel;
let userCookie: string;
beforeAll(async () => {
  panel = await TestPanel.start();
  userCookie = await panel.signInUser();
});
afterAll(() => panel.close());

const pageOf = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
  const answer = await panel.fetch(path, { headers: { Accept: 'text/html', ...headers } });
  return answer.text();
};
const save = (fields: Record<string, string>) => panel.admin('szbc', { slug: 'filing', ...fields });
const everywhere = (): Promise<string[]> =>
  Promise.all([pageOf('/'), pageOf('/user/login'), pageOf('/user/', { Cookie: userCookie }), pageOf('/pay/nothing')]);

describe('the filing numbers', () => {
  it('add nothing to any page until one is saved', async () => {
    const before = await everywhere();
    await panel.enable('filing');
    const withoutToken = (text: string): string => text.replaceAll(/nonce="[^"]*"/g, '');
    expect((await everywhere()).map((text) => text.includes('beian'))).toEqual(before.map(() => false));
    expect(withoutToken(await pageOf('/'))).toBe(withoutToken(before[0]!));
  });

  it('are saved on a settings tab, in both languages', async () => {
    const chinese = await pageOf('/admin/settings?tab=filing', { Cookie: panel.adminCookie });
    const english = await pageOf('/admin/settings?tab=filing', { Cookie: panel.adminCookie, 'Accept-Language': 'en' });
    for (const words of ['备案信息', 'ICP 备案号', '公安备案号', '增值电信业务经营许可证号', '留空则不显示'])
      expect(chinese).toContain(words);
    for (const words of ['Filing numbers', 'ICP filing number', 'Public security filing number', 'Leave empty to hide it'])
      expect(english).toContain(words);
  });

  it('appear in the footer of visitor and customer pages with links to the public records, but not on admin pages', async () => {
    expect(await save({ icp: '京ICP备12345678号-1', police: '京公网安备 11010502030000号', licence: '京B1-20260000' })).toMatchObject({
      success: true,
    });
    for (const text of await everywhere()) {
      expect(text).toMatch(/<a [^>]*href="https:\/\/beian\.miit\.gov\.cn\/"[^>]*>京ICP备12345678号-1<\/a>/);
      expect(text).toMatch(
        /href="https:\/\/beian\.mps\.gov\.cn\/#\/query\/webSearch\?code=11010502030000"[^>]*>京公网安备 11010502030000号<\/a>/,
      );
      expect(text).toContain('增值电信业务经营许可证：京B1-20260000');
    }
    expect(await pageOf('/', { 'Accept-Language': 'en' })).toContain('Telecommunications licence: 京B1-20260000');
    expect(await pageOf('/admin/', { Cookie: panel.adminCookie })).not.toContain('beian');
  });

  it('are escaped, and a number without digits links to the search page', async () => {
    await save({ icp: '<script>alert(1)</script>', police: '京公网安备', licence: '' });
    const text = await pageOf('/');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).toMatch(/href="https:\/\/beian\.mps\.gov\.cn\/"[^>]*>京公网安备<\/a>/);
    expect(text).not.toContain('许可证');
  });

  it('disappear with the plugin', async () => {
    await panel.disable('filing');
    expect((await everywhere()).filter((text) => text.includes('beian'))).toEqual([]);
    expect(panel.registrations('filing')).toEqual({});
  });
});
