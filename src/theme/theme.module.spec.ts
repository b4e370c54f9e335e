import { Test } from '@nestjs/testing';
import { expect, it } from 'vitest';

import { MenuRegistry, ThemeModule, ThemeRenderer, trustedHtml } from './index.js';

it('the module starts with its options alone and registers the menu of the panel once', async () => {
  const app = await Test.createTestingModule({
    imports: [ThemeModule.forRootAsync({ useFactory: () => ({ installedFolder: '/nonexistent', timezone: 'Asia/Shanghai' }) })],
  }).compile();
  await app.init();
  const menu = await app.get(MenuRegistry).buildMenu('user', { locale: 'en', current: '/user/' });
  expect(menu.map((item) => item.url)).toEqual(['/user/']);
  const html = await app
    .get(ThemeRenderer)
    .render(
      'user',
      'plugin',
      { site: { name: 'S' }, account: { username: 'a' }, menu, title: 'T', content: trustedHtml('<b>hi</b>') },
      { locale: 'en', nonce: 'n' },
    );
  expect(html).toContain('<b>hi</b>');
  expect(html).toContain('aria-current="page"');
  await app.close();
});
