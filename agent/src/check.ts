import * as fs from 'node:fs/promises';

import type { Config } from './config/config.js';
import { codeOf, messageOf } from './errors.js';
import { type PanelClient } from './panel/panel-client.js';
import { refusalText, skewText } from './panel/refusals.js';
import { SIGNATURE_WINDOW_SECONDS } from './panel/signature.js';
import { StateStore } from './state/state-store.js';

/** Checks everything a running agent needs. Sends one signed `get_config`, which changes nothing in the panel. */
export async function check(config: Config, warnings: string[], client: PanelClient, write: (text: string) => void) {
  let failed = false;
  const report = (mark: 'ok' | 'WARN' | 'FAIL', text: string) => {
    failed ||= mark === 'FAIL';
    write(`${mark.padEnd(5)} ${text}\n`);
  };
  report('ok', `config: node ${config.nodeId}, panel ${config.svcUrl.href}, every ${config.intervalSeconds} s`);
  for (const warning of warnings) report('WARN', warning);
  try {
    await StateStore.check(config.stateDir);
    report('ok', `state folder ${config.stateDir}`);
  } catch (error) {
    report('FAIL', messageOf(error));
  }
  if (config.sitesRoot !== null) {
    try {
      await (await fs.opendir(config.sitesRoot)).close();
      report('ok', `sites root ${config.sitesRoot}`);
    } catch (error) {
      report(
        'FAIL',
        `"sites_root": cannot read ${config.sitesRoot} (${codeOf(error)}). Set it to the folder ` +
          'that contains the sites, and run the agent as a user who may read it.',
      );
    }
  }
  try {
    const answer = await client.call('get_config', {});
    if (answer.success) report('ok', 'connection: the panel accepts this node and its signature');
    else report('FAIL', refusalText(answer.message, client.clockSkewSeconds));
  } catch (error) {
    report('FAIL', messageOf(error));
  }
  const skew = client.clockSkewSeconds;
  if (skew !== null && Math.abs(skew) >= 60) report(Math.abs(skew) > SIGNATURE_WINDOW_SECONDS ? 'FAIL' : 'WARN', skewText(skew));
  return failed ? 1 : 0;
}
