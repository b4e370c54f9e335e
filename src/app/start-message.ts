import type { Panel } from './bootstrap.js';
import type { AppConfig } from '../config/index.js';

type Started = Pick<Panel, 'url' | 'sitesPort' | 'firstStart'> & Partial<Pick<Panel, 'safeModePath' | 'idlePlugins'>>;

/**
 * Prints all addresses to the terminal, the credentials on the first start, and a warning as long as the published default password is in
 * use.
 */
export function announce(config: AppConfig, panel: Started): void {
  process.stdout.write(`${startMessage(config, panel).join('\n')}\n\n`);
}

/** Returns the lines of {@link announce}. */
export function startMessage(config: AppConfig, panel: Started): string[] {
  const sitesPort = config.sitesPublicPort ?? panel.sitesPort;
  const sides = [
    `  Admin side   ${panel.url}/admin/`,
    `  User side    ${panel.url}/user/`,
    `  Site         ${panel.url}/`,
    `  Hosted sites http://<user>.${config.sitesDomain}${sitesPort === 80 ? '' : `:${sitesPort}`}/`,
  ];
  return [
    '',
    ...(config.runs('panel') ? sides : []),
    ...(config.runs('store') ? [`  Store        ${panel.url}/store/`, `  Store API    ${panel.url}/api/docs`] : []),
    `  Data         ${config.dataDir}`,
    ...(panel.safeModePath
      ? [`  Safe mode    ${panel.url}${panel.safeModePath}`, '               (stops every plugin, once; so does a start with SAFE_MODE=1)']
      : []),
    ...withoutPlugins(config, panel),
    ...newAdministrator(panel),
    ...defaultPasswords(config, panel),
  ];
}

function withoutPlugins(config: AppConfig, { idlePlugins = [] }: Started): string[] {
  if (config.safeMode) return ['', '  SAFE_MODE is set: plugins are not started.'];
  if (idlePlugins.length === 0) return [];
  return [
    '',
    `  Enabled plugins that are not running: ${idlePlugins.join(', ')}`,
    '  The Plugins page shows why. If the admin side does not work, open the address behind "Safe mode" above.',
  ];
}

function newAdministrator({ firstStart }: Started): string[] {
  const { administrator, storeAdministrator } = firstStart;
  const made = administrator ?? storeAdministrator;
  if (!made) return [];
  const where = administrator && storeAdministrator ? ' (panel and store)' : storeAdministrator ? ' (store)' : '';
  return [
    '',
    `  Administrator: ${made.username}${where}`,
    `  Password:      ${made.kind === 'given' ? '(the one from ADMIN_PASSWORD)' : made.password}`,
    ...(made.kind === 'random' ? ['  It is shown only once. Write it down now.'] : []),
  ];
}

function defaultPasswords(config: AppConfig, { url, firstStart }: Started): string[] {
  const { panel, store } = firstStart.withDefaultPassword;
  const accounts = [
    ...panel.map((name) => ({ name: `${name} of the panel`, where: `${url}/admin/settings?tab=account` })),
    ...store.map((name) => ({ name: `${name} of the store`, where: `${url}/store/account` })),
  ];
  if (accounts.length === 0) return [];
  const after = config.defaultPasswordAllowed
    ? '  Everyone can look it up. Change it at:'
    : `  It is not accepted, because ${config.exposedBy}. Start once without that, sign in on this machine, and change it at:`;
  return ['', '  The published default password is still in use.', after, ...accounts.map(({ name, where }) => `    ${where} (${name})`)];
}
