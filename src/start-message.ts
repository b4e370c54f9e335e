import type { Panel } from './bootstrap.js';
import type { AppConfig } from './config/index.js';

/** Tells the person at the terminal where everything is, and, once, how to sign in. */
export function announce(config: AppConfig, panel: Panel): void {
  const { administrator } = panel.firstStart;
  const lines = [
    '',
    `  Admin side   ${panel.url}/admin/`,
    `  User side    ${panel.url}/user/`,
    `  Site         ${panel.url}/`,
    `  Hosted sites http://<user>.localhost:${panel.sitesPort}/`,
    `  Data         ${config.dataDir}`,
  ];
  if (administrator) {
    lines.push('', `  Administrator: ${administrator.username}`, `  Password:      ${administrator.kind === 'given' ? '(the one from ADMIN_PASSWORD)' : administrator.password}`);
    if (administrator.kind === 'random') lines.push('  It is shown this once. Write it down now.');
    if (administrator.kind === 'default') lines.push('  This is the published default: change it under Settings > Account.');
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
