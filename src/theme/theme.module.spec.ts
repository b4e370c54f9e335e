import { Test } from '@nestjs/testing';
import { expect, it } from 'vitest';

import { MenuRegistry, ThemeModule, ThemeRenderer, trustedHtml } from './index.js';

it('the module starts with its options alone', async () => {
  const app = await Test.createTestingModule({
    imports: [ThemeModule.forRootAsync({ useFactory: () => ({ installedFolder: '/nonexistent', timezone: 'Asia/Shanghai' }) })],
  }).compile();
  await app.init();
  app.get(MenuRegistry).add('user', { title: 'Home', url: '/user/' }, 'core');
  const menu = await app.get(MenuRegistry).buildMenu('user', { locale: 'en', current: '/user/' });
  const page = await app
    .get(ThemeRenderer)
    .render(
      'user',
      'plugin',
      { site: { name: 'S' }, account: { username: 'a' }, menu, title: 'T', content: trustedHtml('<b>hi</b>') },
      { locale: 'en', nonce: 'n' },
    );
  expect(page.toString()).toContain('<b>hi</b>');
  expect(page.toString()).toContain('aria-current="page"');
  await app.close();
});
