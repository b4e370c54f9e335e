import { DriverRegistry } from '../../src/hosting/index.js';
import { PORT_CALLS } from '../../src/hosting/driver/plugin-driver/check-record.js';

import type { TestPanel } from './panel.js';
import { writePlugin } from './plugins.js';

/** What the plugin finds the built-in driver by: plugins run in this process. */
const PLACE = 'svcMirroredDriver';

/**
 * Enables the plugin `mirror`, whose kind of server `mirror:mirror` is the built-in one, asked through everything that stands between the
 * panel and a plugin's driver: every port there is, with answers that are right.
 */
export async function enableMirrorPlugin(panel: TestPanel): Promise<void> {
  Object.assign(globalThis, { [PLACE]: panel.get(DriverRegistry).find('embedded') });
  const code = `
    const own = globalThis.${PLACE};
    const calls = (of, names) => Object.fromEntries(names.map((name) => [name, (...given) => of[name](...given)]));
    const ports = Object.entries(${JSON.stringify(PORT_CALLS)}).map(([port, names]) => [port, calls(own[port], names)]);
    module.exports = (svc) => {
      svc.svc_register_host_driver('mirror', {
        title: 'Mirror',
        can: ['static'],
        ...calls(own, ['probe', 'create', 'suspend', 'unsuspend', 'start', 'stop', 'renew', 'changeQuota', 'changePassword',
          'terminate', 'sync', 'list', 'adopt']),
        ...Object.fromEntries(ports),
      });
    };`;
  writePlugin(panel.dataDir, 'mirror', { manifest: { permissions: ['host_driver'] }, files: { 'index.js': code } });
  await panel.enable('mirror');
}
