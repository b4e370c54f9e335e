import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';

import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { EACH_ITS_OWN, RATE_CLASSES, isRateClass, rateOf } from '../src/auth/index.js';
import { CallDeadlines, LOCALES, operationNameKey, translate } from '../src/common/index.js';
import { HostCommands } from '../src/hosting/external-api/host-commands.js';
import { NodeApi } from '../src/agents/index.js';
import { OperationRegistry, Routes, type OperationRecord } from '../src/operations/index.js';
import { Database } from '../src/database/index.js';
import { PaymentRegistry } from '../src/payment/index.js';
import { PluginCalls } from '../src/common/index.js';
import { RateCheck } from '../src/app/rate-check.js';

import { PERMISSION_GROUPS } from '../src/access/permissions.js';
import { ThemeCatalogue } from '../src/theme/index.js';
import type { TemplatePath } from '../src/theme/names.js';
import { PAGE_METADATA, type PageDeclaration } from '../src/web/page-declaration.js';

import { createTestPlace } from './support/database.js';
import { TestPanel } from './support/panel.js';
import { functionPlugin, writePlugin } from './support/plugins.js';
import { startPanel } from './support/start-panel.js';
import { storeRoutes } from './support/store-routes.js';

/** Core operations that are no `read` and that the pipeline does not log, each with its reason. */
const LOGGED_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['admin login', 'signing in writes its own lines, failures too'],
  ['user login', 'signing in writes its own lines, failures too'],
  ['admin yzm', 'a captcha is nobody’s act'],
  ['user yzm', 'a captcha is nobody’s act'],
  ['user zhmm', 'a stranger’s words; the mail that is really sent has its line'],
  ['user ymcx', 'it looks whether a name is free, and is limited like what is expensive'],
  ['user zhmmcz', 'it writes its own line with the change'],
  ['admin f2kq', 'a seed that counts for nothing before its first code, which writes the line'],
  ['user f2kq', 'a seed that counts for nothing before its first code, which writes the line'],
  ['admin zjqyjc', 'asks both servers and changes nothing'],
  ['admin list_node_php', 'asks a server and changes nothing'],
  ['admin jkdryl', 'shows what a file would bring and changes nothing'],
  ['user monitor_import_look', 'shows what a file would bring and changes nothing'],
  ['admin notice_read', 'looking at one’s own notices'],
  ['user notice_read', 'looking at one’s own notices'],
  ['admin hqdx', 'measures and changes nothing'],
  ['user hqdx', 'measures and changes nothing'],
  ['admin file_upload_cancel', 'what was never whole is nobody’s file'],
  ['user file_upload_cancel', 'what was never whole is nobody’s file'],
  ['admin theme_yl', 'what one administrator looks at alone'],
  ['admin theme_set_draft', 'what one administrator looks at alone'],
  ['user sxsyxx', 'measures again what is measured by the clock'],
]);

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start({ SERVICES: 'panel,store,worker' });
  for (const slug of ['sandbox', 'hosting_shop', 'filing']) await panel.enable(slug);
});
afterAll(() => panel?.close());

const nameOf = ({ side, name }: OperationRecord): string => `${side} ${name}`;
const operations = (): OperationRecord[] => panel.get(OperationRegistry).all();

/** Handlers of controllers, as `Controller.method`. */
function handlers(): { name: string; handler: object; controller: object }[] {
  const scanner = panel.get(MetadataScanner);
  return panel
    .get(DiscoveryService)
    .getControllers()
    .flatMap(({ metatype }) => {
      const prototype = (metatype as unknown as { prototype: Record<string, object> }).prototype;
      return scanner
        .getAllMethodNames(prototype)
        .filter((name) => Reflect.getMetadata(PATH_METADATA, prototype[name]!) !== undefined)
        .map((name) => ({ name: `${metatype!.name}.${name}`, handler: prototype[name]!, controller: metatype! }));
    });
}

describe('a started panel with the store and bundled plugins', () => {
  it('every core operation has a policy, form and rate class, and an audit text if it changes something', () => {
    const core = operations().filter(({ owner }) => owner === 'core');
    expect(core.length).toBeGreaterThan(70);
    for (const record of core) {
      expect(['none', 'admin', 'user'], nameOf(record)).toContain(record.auth);
      expect(typeof record.input, nameOf(record)).toBe('function');
      expect(isRateClass(record.rate), nameOf(record)).toBe(true);
      if (record.audit !== null)
        for (const locale of LOCALES) expect(translate(locale, record.audit.text), nameOf(record)).not.toBe(record.audit.text);
      else if (record.rate !== 'read')
        expect(LOGGED_ELSEWHERE.has(nameOf(record)), `${nameOf(record)} is no read: it needs an audit text, or its reason here`).toBe(true);
    }
    const known = new Set(core.filter(({ audit, rate }) => audit === null && rate !== 'read').map(nameOf));
    expect([...LOGGED_ELSEWHERE.keys()].filter((name) => !known.has(name))).toEqual([]);
  });

  it('every core operation that is logged, and every page and group of the menu, has a name in words', () => {
    const logged = operations().filter(({ owner, audit }) => owner === 'core' && audit !== null);
    const pages = handlers().flatMap(({ handler }) => (Reflect.getMetadata(PAGE_METADATA, handler) as PageDeclaration | undefined) ?? []);
    const names = [
      ...logged.map(({ name }) => operationNameKey(name) ?? name),
      ...pages.flatMap(({ title, menu }) => [title, ...(menu?.under ? [menu.under.title] : [])]),
    ];
    expect(names.length).toBeGreaterThan(500);
    expect(names.filter((key) => LOCALES.some((locale) => translate(locale, key) === key))).toEqual([]);
  });

  it('every operation of a bundled plugin has a policy and rate class, and is logged if an administrator changes something', () => {
    const plugins = operations().filter(({ owner }) => owner !== 'core');
    expect(plugins.length).toBeGreaterThan(0);
    for (const record of plugins) {
      expect(
        ['admin', 'user'].includes(record.auth as string) || typeof record.auth === 'function' || record.rate === 'public',
        nameOf(record),
      ).toBe(true);
      expect(isRateClass(record.rate), nameOf(record)).toBe(true);
      if (record.side === 'admin' && record.rate !== 'read') expect(record.audit?.text, nameOf(record)).toBeTruthy();
    }
  });

  it('every route of a plugin has a policy and rate class; routes that create orders have the class of orders', () => {
    const routes = panel.get(Routes).list();
    expect(routes.length).toBeGreaterThan(8);
    for (const { method, path, handler } of routes) {
      expect(
        handler.auth === null || ['', 'none', 'admin', 'user'].includes(handler.auth as string) || typeof handler.auth === 'function',
        path,
      ).toBe(true);
      expect(isRateClass(handler.rate), path).toBe(true);
      if (method === 'POST' && /order/.test(path)) expect(handler.rate, path).toBe('order');
      // Payments have their own log; everything else that changes something is logged unless a plugin says otherwise.
      expect(handler.audit === false, `${method} ${path}`).toBe(handler.rate === 'callback');
    }
  });

  it('every payment callback has the callback class', () => {
    const callbacks = panel
      .get(Routes)
      .list()
      .filter(({ path }) => /^\/pay\/[^/]+\/(notify|return)$/.test(path));
    const gateways = panel.get(PaymentRegistry).list();
    expect(gateways.length).toBeGreaterThan(0);
    for (const { slug, record } of gateways) {
      for (const kind of ['notify', 'return'] as const) {
        if (record[kind])
          expect(callbacks.find(({ path }) => path === `/pay/${slug}/${kind}`)?.handler.rate, `${slug} ${kind}`).toBe('callback');
      }
    }
  });

  it('every handler of every controller of panel and store has a rate class', () => {
    const all = handlers();
    expect(all.length).toBeGreaterThan(80);
    for (const { name, handler, controller } of all) {
      const rate = rateOf(handler, controller);
      expect(rate === EACH_ITS_OWN || isRateClass(rate), name).toBe(true);
    }
    const delegating = all
      .filter(({ handler, controller }) => rateOf(handler, controller) === EACH_ITS_OWN)
      .map(({ name }) => name)
      .sort();
    expect(delegating).toEqual(['AjaxController.admin', 'AjaxController.user', 'ExternalApiController.serve', 'NodeApiController.serve']);
  });

  it('a controller without a rate class does not boot', () => {
    class Forgetful {
      read(): void {}
    }
    Reflect.defineMetadata(PATH_METADATA, '/forgetful', Forgetful.prototype.read);
    const check = new RateCheck(
      { getControllers: () => [{ metatype: Forgetful }] } as unknown as DiscoveryService,
      panel.get(MetadataScanner),
    );
    expect(() => check.onModuleInit()).toThrow('Forgetful.read');
  });

  it('every endpoint of the store has an access rule, and every changing one a class for changes', () => {
    const routes = storeRoutes((type) => panel.get(type));
    expect(routes.length).toBeGreaterThan(50);
    const rates = new Map(handlers().map(({ name, handler, controller }) => [name, rateOf(handler, controller)]));
    for (const { name, method, path, access } of routes) {
      expect(access, `${method} ${path}`).toBeDefined();
      if (method === 'GET') continue;
      // Reads by POST: the query is too long for an address.
      const asks = ['/api/items/update-check'].includes(path);
      expect(asks ? ['read'] : ['write', 'sign-in', 'expensive'], `${method} ${path}`).toContain(rates.get(name));
    }
  });

  it('every endpoint of the store that changes something is logged, or says why not', () => {
    const changing = storeRoutes((type) => panel.get(type)).filter(({ method }) => method !== 'GET');
    expect(changing.length).toBeGreaterThan(20);
    for (const { method, path, audit } of changing)
      expect(audit, `${method} ${path}: it needs @Audited, @AuditedWithin or @NotAudited`).toBeDefined();
    const silent = changing.filter(({ audit }) => audit?.kind === 'none').map(({ path }) => path);
    expect(silent.sort()).toEqual([
      '/api/admin/versions/:id/claim',
      '/api/admin/versions/:id/claim',
      '/api/auth/password-reset',
      '/api/auth/second-factor',
      '/api/developer/preview',
      '/api/developer/validate',
      '/api/developer/webhooks/:id/test',
      '/api/items/update-check',
    ]);
    const actions = changing.flatMap(({ audit }) =>
      audit?.kind === 'own' ? [audit.action] : audit?.kind === 'within' ? audit.actions : [],
    );
    for (const locale of LOCALES)
      for (const action of actions) expect(translate(locale, `storePages.action.${action}`), action).not.toContain(action);
  });

  it('describes all operations and plugin routes to administrators only', async () => {
    expect(await (await panel.fetch('/admin/openapi.json')).json()).toEqual({ code: '请登陆后台' });
    const { paths } = (await (await panel.adminFetch('/admin/openapi.json')).json()) as {
      paths: Record<string, { post: { security: object[]; requestBody: { content: Record<string, { schema: object }> } } }>;
    };
    expect(Object.keys(paths).sort()).toEqual(
      [
        ...operations().map(({ side, name }) => `/${side}/ajax.php?gn=${name}`),
        ...new Set(
          panel
            .get(Routes)
            .list()
            .map(({ path }) => path),
        ),
      ].sort(),
    );
    const { security, requestBody } = paths['/admin/ajax.php?gn=listlog']!.post;
    expect(security).toEqual([{ admin: [] }]);
    expect(requestBody.content['application/json']!.schema).toMatchObject({
      properties: { limit: { type: 'integer', minimum: 1, maximum: 200, default: 20 }, ss: { type: 'string', maxLength: 100 } },
      required: [],
    });
    expect(paths['/user/ajax.php?gn=login']!.post.security).toEqual([{}]);
    // The address in the description is one that it has.
    const answer = await panel.adminFetch('/admin/ajax.php?gn=listlog', { method: 'POST', body: new URLSearchParams({ limit: '1' }) });
    expect(await answer.json()).toMatchObject({ rows: [expect.any(Object)] });
  });

  it('every agent action and shop command has a rate class, and changes to hosts are logged', () => {
    const acts = panel.get(NodeApi).acts;
    expect([...acts.keys()].sort()).toEqual(['extend_lease', 'get_config', 'heartbeat', 'pull_task', 'report_result']);
    for (const [name, { rate }] of acts) expect(rate, name).toBe('node');
    const commands = Object.entries(panel.get(HostCommands).byName);
    expect(commands.length).toBeGreaterThan(10);
    for (const [name, { rate, changes }] of commands) {
      expect(isRateClass(rate), name).toBe(true);
      expect(changes, name).toBe(!['cfif', 'ztcx'].includes(name));
    }
  });

  it('exactly the operations that require a second proof are declared to', () => {
    const text = readFileSync('docs/panel-api.md', 'utf8');
    const namesIn = (part: string): string[] => [...part.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
    const [listed] = text.split('### A second proof\n')[1]!.split('; the tables below');
    const told = new Set(namesIn([...listed!.matchAll(/\(`[^)]+\)/g)].join(' ')));
    for (const line of text.split('\n')) {
      const [, names = '', ...rest] = line.split('|');
      if (/second factor shows a code|second proof/.test(rest.join('|'))) for (const name of namesIn(names)) told.add(name);
    }
    const asked = new Set(operations().flatMap(({ name, secondProof }) => (secondProof ? [name] : [])));
    expect(
      [...asked].filter((name) => !told.has(name)),
      'not told',
    ).toEqual([]);
    expect(
      [...told].filter((name) => !asked.has(name)),
      'told, and not so',
    ).toEqual([]);
  });

  it('every page declared free of money and passwords is', () => {
    const pages = handlers().flatMap(({ handler }) => (Reflect.getMetadata(PAGE_METADATA, handler) as PageDeclaration | undefined) ?? []);
    const theme = panel.get(ThemeCatalogue).package('default')!;
    const orders = PERMISSION_GROUPS.find(({ id }) => id === 'orders')!.permissions.flatMap((one) => one.operations);
    const weighty = new Set([...orders, ...operations().flatMap(({ name, secondProof }) => (secondProof ? [name] : []))]);
    /** A view with everything it includes. */
    const sourceOf = (side: string, view: string, seen = new Set<string>()): string => {
      const path = ([`${side}/${view}`, `shared/${view}`] as const).find((one) => theme.templates.has(one as TemplatePath));
      if (!path || seen.has(path)) return '';
      const source = theme.templates.get(path as TemplatePath)!;
      const inside = [...source.matchAll(/\{%-?\s*(?:partial|layout) '(?:\w+\/)?([\w-]+)'/g)].map(([, name]) => name!);
      return [source, ...inside.map((name) => sourceOf(side, name, seen.add(path)))].join('\n');
    };
    const faults = pages.map(({ side, path, view = path.split('/').at(-1)!, lists = [], plain }) => {
      const source = sourceOf(side, view);
      const secret = /type(?:="|: ')password|partial 'secret'|data-secret|-password"|one-time-code|pay_path|action="\/pay/.exec(
        source,
      )?.[0];
      const named = [...`${source} ${JSON.stringify(lists)}`.matchAll(/(?:data-ajax="|operation: '|"operation":")(\w+)/g)].map(
        ([, name]) => name!,
      );
      return {
        page: `${side}/${path}`,
        plain: plain ?? false,
        about: [secret, ...named.filter((name) => weighty.has(name))].filter(Boolean),
      };
    });
    expect(faults.filter(({ plain, about }) => plain && about.length > 0)).toEqual([]);
    expect(faults.filter(({ plain }) => plain).map(({ page }) => page)).toContain('user/');
    // The check works: these pages do have faults.
    const found = new Set(faults.filter(({ about }) => about.length > 0).map(({ page }) => page));
    for (const page of ['admin/login', 'user/login', 'user/password', 'user/reset', 'admin/settings', 'admin/orders', 'user/order'])
      expect(found, page).toContain(page);
  });

  it('every call has a deadline: connections, and each kind of call into a plugin', () => {
    const server = (panel as unknown as { panel: { app: { getHttpServer(): Server } } }).panel.app.getHttpServer();
    expect(server.headersTimeout > 0 && server.headersTimeout <= 60_000).toBe(true);
    // The last resort behind the minimum speed of a body: the longest body at the lowest speed.
    expect(server.requestTimeout > 0 && server.requestTimeout <= 7_200_000).toBe(true);
    const { page, operation, route, payment, action, durable, cron } = panel.get(CallDeadlines);
    for (const limit of [page, operation, route, payment, action, durable, cron]) expect(limit > 0 && limit <= 60_000).toBe(true);
    expect(panel.get(PluginCalls)).toBeDefined();
  });

  it('every class declares its limits', () => {
    for (const [name, { limit, windowSeconds }] of Object.entries(RATE_CLASSES)) {
      expect(limit > 0 && windowSeconds > 0, name).toBe(true);
      expect(limit === Infinity, name).toBe(name === 'health');
    }
  });
});

describe('the database of a process', () => {
  it('is closed once, after all other shutdown work', async () => {
    writePlugin(
      panel.dataDir,
      'last_words',
      functionPlugin(`
        await svc.db.migrate([{ id: '001', up: (schema) => schema.createTable({ name: 'word', columns: [{ name: 'word',
          type: 'text' }] }) }]);
        svc.onStop(() => svc.db.run('INSERT INTO {word} (word) VALUES (?)', ['goodbye']));`),
    );
    await panel.enable('last_words');
    const { dataSource } = panel.get(Database);
    const destroy = vi.spyOn(dataSource, 'destroy');
    expect(panel.get(DataSource)).toBe(dataSource);
    await panel.restart();
    expect(destroy).toHaveBeenCalledTimes(1);
    expect(dataSource.isInitialized).toBe(false);
    const words = await panel.get(Database).query<{ word: string }>('SELECT word FROM SVC_plg_last_words_word');
    expect(words).toEqual([{ word: 'goodbye' }]);
  });

  it.each([
    ['the application cannot be made', () => vi.spyOn(RateCheck.prototype, 'onModuleInit')],
    ['a port is taken', null],
  ])('is closed once when the start fails: %s', async (_name, fault) => {
    const place = await createTestPlace({ PORT: new URL(panel.url).port });
    const failing = fault?.().mockImplementation(() => {
      throw new Error('no start');
    });
    const destroy = vi.spyOn(DataSource.prototype, 'destroy');
    try {
      await expect(startPanel(place.config)).rejects.toThrow(fault ? 'no start' : 'PORT');
      expect(destroy).toHaveBeenCalledTimes(1);
    } finally {
      destroy.mockRestore();
      failing?.mockRestore();
      await place.dispose();
    }
  });
});
