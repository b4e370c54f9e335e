/**
 * The panel itself. OPERATIONS sets how many operations per side and how many routes its single plugin `bench` registers; the data folder
 * belongs to the bench. The cookie is a real administrator session.
 */
import '#dist/src/config/timezone.js';
import 'reflect-metadata';

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { SessionService } from '#dist/src/auth/index.js';
import { startPanel } from '#dist/src/app/bootstrap.js';
import { AppConfig } from '#dist/src/config/index.js';
import { PluginReconciler, PluginRegistry } from '#dist/src/plugin-registry/index.js';

import { ready } from './report.mjs';

const config = new AppConfig();
const count = Number(process.env.OPERATIONS ?? 10);
const folder = join(config.dataDir, 'plugins', 'bench');
mkdirSync(folder, { recursive: true });
writeFileSync(
  join(folder, 'plugin.json'),
  JSON.stringify({
    id: 'bench',
    name: 'Bench',
    version: '1.0.0',
    author: 'SVC Panel',
    description: 'Registers much.',
    requires: '^1.84.0',
    main: 'index.js',
  }),
);
writeFileSync(
  join(folder, 'index.js'),
  `module.exports = (svc) => {
     for (let i = 0; i < ${count}; i += 1) {
       svc.svc_register_ajax('admin', 'p_bench_' + i, (ctx) => ({ ...ctx.body }), 'admin');
       svc.svc_register_ajax('user', 'p_bench_' + i, (ctx) => ({ ...ctx.body }), 'admin');
       svc.svc_register_route('GET', i === 0 ? '/bench/{id}' : '/bench-' + i + '/{id}', (params) => ({ id: params.id }), 10, 'admin');
     }
   };`,
);

const panel = await startPanel(config);
const plugins = panel.app.get(PluginRegistry);
if (!panel.app.get(PluginReconciler).isActive('bench')) {
  await plugins.install('bench');
  await plugins.enable('bench');
}
const token = await panel.app.get(SessionService).open('admin', 1, { ip: '127.0.0.1', userAgent: 'bench' });
ready({ port: Number(new URL(panel.url).port), cookie: `admin_token=${token}` });
