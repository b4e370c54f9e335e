import type { Panel } from './bootstrap.js';
import type { AppConfig } from './config/index.js';

/** Tells the person at the terminal where everything is, and, once, how to sign in. */
export function announce(config: AppConfig, panel: Panel): void {
  const { administrator, storeAdministrator } = panel.firstStart;
  const sides = [
    `  Admin side   ${panel.url}/admin/`,
    `  User side    ${panel.url}/user/`,
    `  Site         ${panel.url}/`,
    `  Hosted sites http://<user>.localhost:${panel.sitesPort}/`,
  ];
  const lines = [
    '',
    ...(config.runs('panel') ? sides : []),
    ...(config.runs('store') ? [`  Store        ${panel.url}/store/`, `  Store API    ${panel.url}/api/docs`] : []),
    `  Data         ${config.dataDir}`,
  ];
  const made = administrator ?? storeAdministrator;
  if (made) {
    const where = administrator && storeAdministrator ? ' (panel and store)' : storeAdministrator ? ' (store)' : '';
    lines.push('', `  Administrator: ${made.username}${where}`, `  Password:      ${made.kind === 'given' ? '(the one from ADMIN_PASSWORD)' : made.password}`);
    if (made.kind === 'random') lines.push('  It is shown this once. Write it down now.');
    if (made.kind === 'default') {
      const places = [...(administrator ? ['under Settings > Account'] : []), ...(storeAdministrator ? [`at ${panel.url}/store/account`] : [])];
      lines.push(`  This is the published default: change it ${places.join(' and ')}.`);
    }
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
