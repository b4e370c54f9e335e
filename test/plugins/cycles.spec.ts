import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../../src/common/index.js';
import { createTestPlace } from '../support/database.js';
import { writePlugin } from '../support/plugins.js';

const CYCLES = 1_000;
/** Number of cycles until the caches of Node, Nest and the database driver stop growing. */
const WARM_UP = 500;
const MAX_BYTES_PER_CYCLE = 2 * 1024;

/** Registers one of everything, from a module with a service and a bundle of realistic size. */
const EVERYTHING = `
const { Module, Injectable, Inject } = require('@nestjs/common');
const { SVC_FACADE } = require('@svc/sdk');
const ballast = require('./ballast');
class Service { constructor(svc) { this.svc = svc; this.state = ballast.map((word) => word + '!');
  } onModuleDestroy() { clearInterval(this.timer); } }
Injectable()(Service); Inject(SVC_FACADE)(Service, undefined, 0);
class Plugin {
  constructor(svc, service) { this.svc = svc; this.service = service; }
  async onModuleInit() {
    const { svc, service } = this;
    const use = () => service.state.length;
    service.timer = setInterval(use, 60_000);
    for (const scope of ['admin', 'user']) {
      svc.svc_register_ajax(scope, 'p_everything_a', () => ({ n: use() }), scope);
      svc.svc_register_page(scope, 'index', 'page.liquid', 'Page');
      svc.svc_register_page(scope, 'made', () => String(use()), 'Made');
      svc.svc_register_menu(scope, { title: 'Menu', page: 'index', children: [{ title: 'Child', page: 'made' }] });
      svc.svc_register_widget(scope, 'main', () => '<p>' + use() + '</p>');
      svc.svc_register_page_override(scope, 'orders', () => null);
      svc.svc_register_partial_override(scope, 'topbar', () => null);
    }
    svc.svc_register_settings_tab('admin', { title: 'Tab', fields: [{ key: 'a', label: 'A', type: 'text' }] });
    svc.svc_register_home(() => null);
    for (const path of ['/everything', '/everything/{id}', '/everything/{id}/part/']) svc.svc_register_route('GET', path, () => use());
    svc.svc_add_action('menu.admin', () => void use());
    svc.svc_add_action('cron', use);
    svc.svc_add_action('own.hook', use, -1);
    svc.svc_add_filter('own.value', (value) => value + use());
    svc.svc_add_action('order.paid', use, 10, { id: 'paid' });
    svc.svc_add_action('host.created', use);
    svc.svc_register_payment('everything', { name: 'Gate', methods: { a: 'A', b: 'B' }, build: () => '/x', notify: () => 'success',
      return: () => '/' });
    await svc.svc_plugin_option_set('everything', 'started', 'yes');
    await svc.svc_do_action('own.hook');
    await svc.db.migrate([{ id: '1', up: (schema) => schema.createTable({ name: 't', columns: [{ name: 'a', type: 'string' }] }) }]);
  }
}
Module({ providers: [Service] })(Plugin); Inject(SVC_FACADE)(Plugin, undefined, 0); Inject(Service)(Plugin, undefined, 1);
module.exports = Plugin;
`;

interface Report {
  before: Record<string, number>;
  during: Record<string, number>;
  after: Record<string, number>;
  bytes: number;
  milliseconds: number;
}

it(`leaves nothing of a plugin that was enabled and disabled ${CYCLES} times`, async () => {
  const program = join(PACKAGE_ROOT, 'test/plugins/cycling-process.mjs');
  if (!existsSync(join(PACKAGE_ROOT, 'dist/src/app/bootstrap.js')))
    throw new Error('This test runs the compiled code: npm run build first.');
  const place = await createTestPlace();
  writePlugin(place.dataDir, 'everything', {
    files: {
      'index.js': EVERYTHING,
      // About 80 KB, like a bundle.
      'ballast.js': `module.exports = [${Array.from({ length: 4_000 }, (_, at) => `'ballast word ${at}'`).join(',')}];`,
      'page.liquid': '<p>{{ plugin }}</p>',
      'lang/en.json': '{"a":"A"}',
      'lang/zh-CN.json': '{"a":"甲"}',
    },
  });
  const child = fork(program, [String(CYCLES), String(WARM_UP)], {
    env: { DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl, LOG_LEVEL: 'fatal' },
    execArgv: ['--expose-gc'],
  });
  try {
    const [report] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [Report];
    expect(report).toBeTypeOf('object');
    process.stdout.write(
      `  plugin cycles: ${report.bytes.toFixed(0)} bytes and ${report.milliseconds.toFixed(1)} ms each over ${CYCLES}\n`,
    );
    expect(report.during).toMatchObject({
      operations: 2,
      routes: 5,
      homes: 1,
      pages: 4,
      menus: 2,
      widgets: 2,
      tabs: 1,
      overrides: 1,
      hooks: 4,
      durable: 2,
      gateways: 1,
    });
    expect(report.after).toEqual(report.before);
    expect(report.bytes).toBeLessThan(MAX_BYTES_PER_CYCLE);
  } finally {
    child.kill();
    await place.dispose();
  }
}, 180_000);
