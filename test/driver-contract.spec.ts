/**
 * The contract of every host driver: the embedded one, that for servers with our agent (a fake agent with the real wire protocol), the
 * tests' fake, and those of plugins. Source: docs/plugin-api.md "Host drivers".
 */
import { cpSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../src/common/index.js';
import { type DriverAccount, DriverRegistry, type DriverNode } from '../src/hosting/index.js';

import { contractTable, driverContract, type ContractedDriver, type KeptParts } from './support/driver-contract.js';
import { FakeServer, startFakeServer } from './support/agent-server.js';
import type { FakeAgent } from './support/fake-agent.js';
import { FakeBaota } from './support/fake-baota.js';
import { FakeDriver } from './support/fake-driver.js';
import { TestPanel } from './support/panel.js';
import { writeBoxPlugin } from './support/box-plugin.js';
import { enableMirrorPlugin } from './support/mirror-plugin.js';

/** Folder of a plugin whose drivers are tested as well. */
const { DRIVER_PLUGIN = '', DRIVER_SETTINGS = '{}', DRIVER_ADDRESS = '', DRIVER_KEY = '' } = process.env;

let panel: TestPanel;
let baota: FakeBaota;
const tried = new Map<string, KeptParts>();
const node = (more: Partial<DriverNode> = {}): DriverNode => ({
  code: 'contract',
  address: '',
  port: 0,
  secure: false,
  panelKey: '',
  settings: {},
  ...more,
});
const fake = new FakeDriver().serve();

/** Drivers that the panel has under a type. */
const known = (type: string, on: DriverNode, webRoot?: ContractedDriver['webRoot']) => (): Promise<ContractedDriver> =>
  Promise.resolve({ driver: panel.get(DriverRegistry).driverOf({ code: on.code, driver: type }), node: on, webRoot });
const here = ({ siteName }: DriverAccount): string => join(panel.dataDir, 'sites', siteName, 'public');

const DRIVERS: Record<string, () => Promise<ContractedDriver>> = {
  embedded: known('embedded', node(), here),
  fake: () => Promise.resolve({ driver: fake, node: node() }),
  'box:box': known('box:box', node({ settings: { token: 'box-1' } })),
  baota: () => known('baota', baota.node())(),
  'mirror:mirror': known('mirror:mirror', node({ code: 'mirror' }), here),
  agent: known('agent', node({ code: 'debian' }), (account) => debian.webRoot(account)),
};
const settings = JSON.parse(DRIVER_SETTINGS) as Record<string, string>;
const slug = basename(DRIVER_PLUGIN);
const of = (type: string): (() => Promise<ContractedDriver>) =>
  known(type, node({ settings, address: DRIVER_ADDRESS, panelKey: DRIVER_KEY }));
if (DRIVER_PLUGIN !== '')
  for (const kind of readFileSync(join(DRIVER_PLUGIN, 'index.js'), 'utf8').matchAll(/svc_register_host_driver\(\s*['"`]([\w-]+)/g))
    DRIVERS[`${slug}:${kind[1]!}`] = of(`${slug}:${kind[1]!}`);

const debian = new FakeServer();
let agent: FakeAgent;

beforeAll(async () => {
  baota = await FakeBaota.start();
  panel = await TestPanel.start({ SITES_TLS_PORT: '0' });
  agent = await startFakeServer(panel, 'debian', debian);
  writeBoxPlugin(panel.dataDir);
  await panel.enable('box');
  await enableMirrorPlugin(panel);
  if (DRIVER_PLUGIN === '') return;
  cpSync(DRIVER_PLUGIN, join(panel.dataDir, 'plugins', slug), { recursive: true });
  await panel.enable(slug);
});
afterAll(async () => {
  await agent.stopNow();
  await panel.close();
  await baota.close();
  debian.dispose();
});

for (const [name, start] of Object.entries(DRIVERS)) {
  const kept: KeptParts = new Set();
  tried.set(name, kept);
  driverContract(name, start, kept);
}

it('is kept as documented', () => {
  const table = contractTable(new Map([...tried].filter(([name]) => ['embedded', 'baota', 'box:box', 'agent'].includes(name))));
  process.stdout.write(`\n${contractTable(tried)}\n`);
  expect(readFileSync(join(PACKAGE_ROOT, 'docs/plugin-api.md'), 'utf8')).toContain(table);
});
