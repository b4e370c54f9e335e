// Enables and disables a plugin many times in one panel and reports what remains. Arguments: cycles, warm-up cycles. Environment: DATA_DIR,
// DATABASE_URL. Run with --expose-gc on the compiled code.
import 'reflect-metadata';

import { AppConfig } from '../../dist/src/config/index.js';
import { startPanel } from '../../dist/src/app/bootstrap.js';
import { Database } from '../../dist/src/database/index.js';
import { DurableListeners, HookRegistry } from '../../dist/src/hooks/index.js';
import { HomeRegistry, OperationRegistry, Routes } from '../../dist/src/operations/index.js';
import { PaymentRegistry } from '../../dist/src/payment/index.js';
import { PluginRegistry } from '../../dist/src/plugin-registry/index.js';
import { MenuRegistry, OverrideRegistry, SettingsTabRegistry, WidgetRegistry } from '../../dist/src/theme/index.js';
import { PageRegistry } from '../../dist/src/web/index.js';

const [cycles, warmUp] = process.argv.slice(2).map(Number);
const slug = 'everything';
const panel = await startPanel(new AppConfig({ ...process.env, PORT: '0', SITES_PORT: '0' }));
const get = (provider) => panel.app.get(provider, { strict: false });
const plugins = get(PluginRegistry);

const owned = (list) => list.filter(({ owner }) => owner === slug).length;
const counts = () => ({
  operations: get(OperationRegistry).owners().get(slug) ?? 0,
  routes: get(Routes).countsByOwner().get(slug) ?? 0,
  routeNodes: get(Routes).nodeCount,
  homes: owned(get(HomeRegistry).list()),
  pages: owned(get(PageRegistry).list()),
  menus: owned(get(MenuRegistry).list()),
  widgets: owned(get(WidgetRegistry).list()),
  tabs: owned(get(SettingsTabRegistry).list()),
  overrides: owned(
    get(OverrideRegistry)
      .owners()
      .map((owner) => ({ owner })),
  ),
  hooks: get(HookRegistry).owners().get(slug) ?? 0,
  durable: get(DurableListeners)
    .keys()
    .filter((key) => key.startsWith(`${slug}:`)).length,
  gateways: owned(get(PaymentRegistry).list()),
});

const heap = async () => {
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc();
    await new Promise((done) => setTimeout(done, 50));
  }
  return process.memoryUsage().heapUsed;
};

const cycle = async () => {
  await plugins.enable(slug);
  await plugins.disable(slug);
};

const before = counts();
await plugins.install(slug);
await plugins.enable(slug);
const during = counts();
await plugins.disable(slug);
for (let done = 0; done < warmUp; done += 1) await cycle();
const start = await heap();
const began = performance.now();
for (let done = 0; done < cycles; done += 1) await cycle();
const milliseconds = (performance.now() - began) / cycles;
const bytes = ((await heap()) - start) / cycles;
const listeners = await get(Database)
  .query('SELECT COUNT(*) AS n FROM `SVC_event_listener`')
  .catch(() => []);
process.send({ before, during, after: counts(), bytes, milliseconds, listeners: Number(listeners[0]?.n ?? 0) });
await panel.close();
process.disconnect();
