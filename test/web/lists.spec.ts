/** Lists of pages, over real HTTP: browsers, bookmarks and files show what the address says. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CORE_OWNER } from '../../src/common/index.js';
import { Database } from '../../src/database/index.js';
import { AuditLog, OperationLog, OperationRegistry, type OperationRecord } from '../../src/operations/index.js';
import { MenuRegistry } from '../../src/theme/index.js';

import type { AppConfig } from '../../src/config/index.js';
import { SAMPLE_VIEWS } from '../../src/theme/samples/index.js';
import { PageMissing, PageRegistry, type PageDeclaration } from '../../src/web/index.js';
import { ComponentPages } from '../../src/pages/component.pages.js';
import { TestPanel } from '../support/panel.js';
import { tidyHtml } from '../support/tidy-html.js';

/** Pages that show something else instead of their lists, each with the reason. */
const WITHOUT_LIST: ReadonlyMap<string, string> = new Map([
  ['user/commands', 'the server of these tests runs none'],
  ['user/database', 'nor does it have databases'],
  ['user/dns-records', 'no domain of the host is at a DNS provider'],
  ['user/site-settings', 'the first tab has none'],
]);
/** Their lists filter by the address, or show everything without filters. */
const OF_ALL_OR_ONE = new Set(['admin/sold-names']);

let panel: TestPanel;
const LINES = 45;

beforeAll(async () => {
  panel = await TestPanel.start();
  const log = panel.get(AuditLog);
  // Recent enough not to be deleted by the retention job.
  const old = new Date(Date.now() - 40 * 86_400_000);
  for (let n = 1; n <= LINES; n += 1) {
    const summary = n === 7 ? '=HYPERLINK("http://evil.test")' : n === 8 ? '<img src=x onerror=alert(1)>, "quoted"' : `action number ${n}`;
    await log.write({ actor: `tester${n % 3}`, category: 'made-up', summary, ip: '192.0.2.1', outcome: 'ok' });
  }
  await panel.get(Database).repository(OperationLog).update({ category: 'made-up' }, { createdAt: old });
});
afterAll(() => panel.close());

async function page(path: string, language = 'en'): Promise<string> {
  const response = await panel.adminFetch(path, { headers: { 'Accept-Language': language } });
  expect(response.status).toBe(200);
  return response.text();
}
const rowsOf = (html: string): number => html.split('<tr data-row=').length - 1;
const pagesWithLists = (): PageDeclaration[] =>
  panel
    .get(PageRegistry)
    .list()
    .filter(({ owner, record: { lists = [] } }) => owner === CORE_OWNER && lists.length > 0)
    .map(({ record }) => record);
/** Whether a page needs data from its address; `test/browser/every-page.browser.spec.ts` checks those. */
const isOfOneThing = ({ side, path, lists = [] }: PageDeclaration): boolean =>
  !OF_ALL_OR_ONE.has(`${side}/${path}`) && lists.some(({ given = [] }) => given.includes('id') || given.includes('slug'));
const hrefs = (html: string): string[] =>
  [...html.matchAll(/href="(\/admin\/log[^"]*)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'));

describe('a list', () => {
  it('is part of the page, newest first, and continues with plain links', async () => {
    const html = await page('/admin/log');
    expect(rowsOf(html)).toBe(20);
    expect(html).toContain('action number 45');
    expect(hrefs(html)).toEqual(
      expect.arrayContaining(['/admin/log?page=2', '/admin/log?size=50', '/admin/log?sort=date', '/admin/log?export=log']),
    );
    const second = await page('/admin/log?page=2');
    expect(second).toContain('action number 20');
    expect(second).not.toContain('action number 45');
  });

  it('shows the last page for a page number beyond it', async () => {
    const html = await page('/admin/log?page=900000&size=20');
    expect(rowsOf(html)).toBeGreaterThan(0);
    expect(html).toMatch(/page 3 of 3/);
  });

  it('searches for what the address says, and says so when nothing is found', async () => {
    const found = await page('/admin/log?q=tester1&in=czuser&size=50');
    expect(rowsOf(found)).toBe(15);
    expect(found).toContain('value="tester1"');
    const none = await page('/admin/log?q=nobody-did-this&in=lr');
    expect(rowsOf(none)).toBe(0);
    expect(none).toContain('No results');
    expect(await page('/admin/log?q=nobody-did-this&in=lr', 'zh-CN')).toContain('没有');
  });

  it('treats any value in an address literally', async () => {
    for (const search of [
      'page=-1',
      'page=x',
      'size=1e9',
      'sort=id;drop',
      'sort=__proto__',
      'in=constructor&q=x',
      'q=%25_!',
      'export=other',
      'page=1&page=2',
    ])
      expect((await panel.adminFetch(`/admin/log?${search}`)).status).toBe(200);
    const html = await page(`/admin/log?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(html).not.toContain('<script>alert(1)');
  });

  it('shows input of others as text', async () => {
    const html = await page('/admin/log?q=onerror&in=lr');
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(html).not.toContain('<img src=x');
  });

  it('lets rows be selected by their ids', async () => {
    const html = await page('/admin/log?q=action&in=lr&size=50');
    const ids = [...html.matchAll(/data-choose="(\d+)"/g)].map(([, id]) => id!);
    expect(ids.length).toBe(LINES - 2);
    const answer = await panel.admin('logscxz', { idsz: ids.slice(0, 2).join(',') });
    expect(answer.success).toBe(true);
    expect(rowsOf(await page('/admin/log?q=action&in=lr&size=50'))).toBe(LINES - 4);
  });
});

describe('the operation log', () => {
  it('offers kinds of actions in words, and filters by one', async () => {
    await panel.admin('setwz', { qq: '10001' });
    const html = tidyHtml(await page('/admin/log?lx=setwz'));
    expect(rowsOf(html)).toBe(1);
    expect(html).toContain('<option value="setwz" selected>Site settings</option>');
    expect(tidyHtml(await page('/admin/log', 'zh-CN'))).toContain('<option value="setwz">网站设置</option>');
    expect(html).not.toContain('<option value="lx"');
    expect(rowsOf(await page('/admin/log?lx=sign_in'))).toBe(1);
  });
});

describe('a list filtered by the address', () => {
  it('says so and links to all rows', async () => {
    const html = await page('/admin/scans?scan_id=7&page=2&scans.page=3');
    expect(html).toMatch(/Some of the matches\.\s+<a [^>]*href="\/admin\/scans\?scans\.page=3">Show all<\/a>/);
    expect(await page('/admin/scans')).not.toContain('Some of the matches');
  });
});

describe('a list as a file', () => {
  it('has every filtered row, in the reader’s language, and no formulas', async () => {
    const response = await panel.adminFetch('/admin/log?q=192.0.2.1&in=ip&export=log', { headers: { 'Accept-Language': 'en' } });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="log.csv"');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const lines = bytes.toString().slice(1).trimEnd().split('\r\n');
    expect(lines[0]).toBe('Time,By,Type,Event,Result,IP');
    expect(lines).toHaveLength(1 + LINES - 2);
    expect(lines.join('\n')).toContain(`"'=HYPERLINK(""http://evil.test"")"`);
    expect(lines.join('\n')).toContain('"<img src=x onerror=alert(1)>, ""quoted"""');
    const chinese = await panel.adminFetch('/admin/log?export=log', { headers: { 'Accept-Language': 'zh-CN' } });
    expect(await chinese.text()).toContain('时间');
  });

  it('is for those who may see the page', async () => {
    const response = await panel.fetch('/admin/log?page=2&export=log');
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe(`/admin/login?next=${encodeURIComponent('/admin/log?page=2&export=log')}`);
  });
});

describe('declared pages', () => {
  it('of components exist in development, and not on a panel others can reach', async () => {
    expect(await page('/admin/components')).toContain('data-chart');
    const operations = panel.get(OperationRegistry);
    expect(operations.find('admin', 'components')).toMatchObject({ auth: 'admin', audit: null });
    const registered: string[] = [];
    const registry = { add: ({ name }: OperationRecord) => void registered.push(name) } as unknown as OperationRegistry;
    const pages = new ComponentPages({ exposedBy: 'NODE_ENV is production' } as AppConfig, registry);
    pages.onModuleInit();
    expect(registered).toEqual([]);
    expect(() => pages.components()).toThrow(PageMissing);
    new ComponentPages({ exposedBy: null } as AppConfig, registry).onModuleInit();
    expect(registered).toEqual(['components']);
  });

  it('are in the menu of their side, in order, in their groups and in the reader’s language', async () => {
    const menus = panel.get(MenuRegistry);
    const titles = async (side: 'admin' | 'user', locale: 'en' | 'zh-CN'): Promise<string[]> =>
      (await menus.buildMenu(side, { locale })).flatMap(({ title, children }) => [title, ...children.map((child) => `· ${child.title}`)]);
    const english = await titles('admin', 'en');
    expect(english.filter((title) => !title.startsWith('·'))).toEqual([
      'Dashboard',
      'Hosting accounts',
      'Customers',
      'Upcoming actions',
      'One-click programs',
      'Servers',
      'Server groups',
      'Moves',
      'Agents',
      'Scans',
      'Monitors',
      'Status page',
      'Orders',
      'Credit',
      'Coupons',
      'Redeem codes',
      'Connect a shop',
      'Subdomains',
      'DNS providers',
      'Plugins',
      'Plugin store',
      'Themes',
      'Notices',
      'System',
      'Access',
      'Activity',
    ]);
    expect(english.slice(english.indexOf('Activity') + 1)).toEqual([
      '· Health',
      '· Repairs',
      '· Undelivered events',
      '· Sessions',
      '· Second factor',
      '· Rate limits',
      '· Server tasks',
      '· Operation log',
      '· Jobs',
      '· Background work',
      '· Backups',
      "· What's new",
    ]);
    expect(await titles('user', 'zh-CN')).toEqual([
      '控制面板',
      '文件管理',
      '域名',
      '网站证书',
      '二级域名',
      '一键部署',
      '站点设置',
      '访问统计',
      '运行环境',
      '· PHP 版本',
      '· 数据库',
      '· SFTP 与 FTP',
      '· 计划任务',
      '备份',
      '历史',
      '监控任务',
      '状态页',
      '续费',
      '变更套餐',
      '我的余额',
      '订单列表',
      '通知',
      '· 我的通知',
      '· 公告',
      '· 通知渠道',
      '· 通知设置',
      '账户安全',
      '· 登录会话',
      '· 修改密码',
      '· 两步验证',
    ]);
  });

  it('with lists all respond, on both sides and in both languages, and always offer a next step', async () => {
    const user = await panel.signInUser();
    const pages = pagesWithLists().filter((page) => !isOfOneThing(page));
    expect(pages.length).toBeGreaterThan(50);
    for (const language of ['en', 'zh-CN']) {
      for (const { side, path } of pages) {
        const headers = { 'Accept-Language': language };
        const address = `/${side}/${path}`;
        const response = await (side === 'admin'
          ? panel.adminFetch(address, { headers })
          : panel.fetch(address, { headers: { ...headers, Cookie: user } }));
        const shows = (await response.text()).includes('data-list');
        expect([address, response.status, shows]).toEqual([address, 200, !WITHOUT_LIST.has(`${side}/${path}`)]);
      }
    }
  });

  it('have exactly their lists in the samples of their views', () => {
    const declared = new Map(
      panel
        .get(PageRegistry)
        .list()
        .map(({ record }) => [`${record.side}/${record.view ?? record.path}`, record]),
    );
    const idsOf = (lists: object = {}): string[] => Object.keys(lists).sort();
    for (const { side, view, vars } of SAMPLE_VIEWS) {
      const page = declared.get(`${side}/${view}`);
      const ids = (page?.lists ?? []).map(({ id }) => id).sort();
      if (page) expect([`${side}/${view}`, idsOf(vars.lists as object | undefined)]).toEqual([`${side}/${view}`, ids]);
    }
  });

  it('contain no key of a server', async () => {
    const { rows } = (await panel.admin('listbt')) as unknown as { rows: { dymy: string }[] };
    expect(rows[0]!.dymy).toHaveLength(32);
    expect(await page('/admin/servers')).not.toContain(rows[0]!.dymy);
  });

  it('return 404 in the frame when there is nothing to show', async () => {
    for (const path of ['/admin/plugin-calls?slug=../x', '/admin/no-such-page']) {
      const response = await panel.adminFetch(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.text()).toContain('href="/admin/plugins"');
      expect(await (await panel.fetch(path)).text()).not.toContain('href="/admin/plugins"');
    }
  });
});
