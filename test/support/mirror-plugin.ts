import { DriverRegistry, type HostDriver } from '../../src/hosting/index.js';
import { PORT_CALLS } from '../../src/hosting/driver/plugin-driver/check-record.js';

import type { TestPanel } from './panel.js';
import { writePlugin } from './plugins.js';

/** Name of the global variable through which the plugin, which runs in this process, finds its driver. */
const PLACE = 'svcMirroredDriver';

/**
 * Enables the plugin `mirror`, whose server kind `mirror:mirror` is the embedded driver, called through all layers between the panel and a
 * plugin's driver: all ports, with correct answers.
 *
 * @param slug another name, for a second one; its server kind is `<slug>:mirror`
 * @param driver embedded driver with another folder, for a second server
 */
export async function enableMirrorPlugin(
  panel: TestPanel,
  slug = 'mirror',
  driver: HostDriver | undefined = panel.get(DriverRegistry).find('embedded'),
): Promise<void> {
  const place = `${PLACE}:${slug}`;
  Object.assign(globalThis, { [place]: driver });
  const code = `
    const own = globalThis[${JSON.stringify(place)}];
    const calls = (of, names) => Object.fromEntries(names.map((name) => [name, (...given) => of[name](...given)]));
    const ports = Object.entries(${JSON.stringify(PORT_CALLS)})
      .filter(([port]) => own[port])
      .map(([port, names]) => [port, calls(own[port], names)]);
    module.exports = (svc) => {
      svc.svc_register_host_driver('mirror', {
        title: 'Mirror',
        can: ['static'],
        ...calls(own, ['probe', 'create', 'suspend', 'unsuspend', 'start', 'stop', 'renew', 'changeQuota', 'changePassword',
          'terminate', 'sync', 'list', 'adopt']),
        ...Object.fromEntries(ports),
      });
    };`;
  writePlugin(panel.dataDir, slug, { manifest: { permissions: ['host_driver'] }, files: { 'index.js': code } });
  await panel.enable(slug);
}
