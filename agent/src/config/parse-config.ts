import path from 'node:path';

import { LOG_LEVELS, type LogLevel, SITES_CAPABILITY } from '../../../src/agents/wire/actions.js';
import { messageOf } from '../errors.js';
import { type HostingConfig, readHosting } from './hosting-config.js';
import { clip, oneLine } from '../text.js';
import { CAPABILITIES, OTHER_CAPABILITIES, QUARANTINE_CAPABILITY } from '../version.js';
import { type Config, ConfigError } from './config.js';
import { OptionReader } from './option-reader.js';
import { readPanelAddress } from './panel-address.js';

/** The panel considers a node offline when its last heartbeat is older than this. */
const OFFLINE_AFTER_SECONDS = 60;

const SECRET_ADVICE = 'The panel shows it only when the node is added and when its secrets are renewed.';

/** Default suffixes of searched files. */
const TEXT_SUFFIXES = 'php html htm js css txt json md xml vue tpl ini conf yml yaml'.split(' ');

const CONFIG_KEYS = new Set(
  (
    'svc_url platform_secret node_id node_secret node_name version interval_seconds capabilities log_level ' +
    'sites_root state_dir scan_interval_seconds text_suffixes ca_file quarantine hosting'
  ).split(' '),
);

/** Configs of older agents use the prefix `mnbt_` instead of `svc_`. If both are given, `svc_` wins. */
function withCurrentNames(given: Record<string, unknown>): Record<string, unknown> {
  const older = Object.entries(given).filter(([key]) => key.startsWith('mnbt_'));
  const rest = Object.entries(given).filter(([key]) => !key.startsWith('mnbt_'));
  return Object.fromEntries([...older.map(([key, value]) => [`svc_${key.slice('mnbt_'.length)}`, value]), ...rest]);
}

/**
 * Parses the text of a config file.
 *
 * @param text JSON as the panel's "add node" shows it, plus the options of the README
 * @param folder base of relative paths: the folder of the config file
 * @throws ConfigError
 */
export function parseConfig(text: string, folder: string, env: NodeJS.ProcessEnv = process.env): { config: Config; warnings: string[] } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ConfigError([`The config is not valid JSON (${oneLine(messageOf(error))}). Copy the whole config from the panel again.`]);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new ConfigError(['The config must be a JSON object, { "svc_url": "https://…", … }.']);
  }
  const raw = withCurrentNames(parsed as Record<string, unknown>);
  const problems: string[] = [];
  const warnings: string[] = [];

  for (const key of Object.keys(raw)) {
    if (!CONFIG_KEYS.has(key)) warnings.push(`"${key}" is not an option and is ignored. Options: ${[...CONFIG_KEYS].join(', ')}.`);
  }

  const options = new OptionReader(raw, folder, problems);

  const svcUrl = readPanelAddress(
    options.required('svc_url', 'It is the address of the panel, such as "https://panel.example.com".'),
    problems,
    warnings,
  );
  const platformSecret = options.required('platform_secret', SECRET_ADVICE);
  const nodeId = options.required('node_id', 'Copy it from the panel: nodes, this node, "config".');
  if (nodeId !== '' && !/^[a-zA-Z0-9_.:-]{1,64}$/.test(nodeId))
    problems.push('"node_id" must be 1 to 64 letters, digits, dots, hyphens, underscores and colons. Copy it from the panel again.');
  const nodeSecret = options.required('node_secret', SECRET_ADVICE);
  const nodeName = typeof raw.node_name === 'string' && raw.node_name.trim() !== '' ? clip(raw.node_name.trim(), 100) : nodeId;

  const intervalSeconds = options.seconds('interval_seconds', 10, 5, 3600);
  if (intervalSeconds > OFFLINE_AFTER_SECONDS - 5)
    warnings.push(
      `"interval_seconds" ${intervalSeconds}: the panel marks a node as offline ` +
        `${OFFLINE_AFTER_SECONDS} seconds after its last heartbeat. Set 10 to 30.`,
    );
  const scanIntervalSeconds = options.seconds('scan_interval_seconds', 300, 30, 86_400);

  const configured = options.words('capabilities', CAPABILITIES);
  const capabilities = CAPABILITIES.filter((capability) => configured.includes(capability));
  const unable = configured.filter((capability) => !CAPABILITIES.includes(capability) && !OTHER_CAPABILITIES.includes(capability));
  if (unable.length > 0) warnings.push(`"capabilities": this version of the agent does not support ${unable.join(', ')}.`);

  const level =
    typeof raw.log_level === 'string'
      ? raw.log_level.toUpperCase().replace(/^WARN$/, 'WARNING')
      : raw.log_level === undefined
        ? 'INFO'
        : '';
  if (!(LOG_LEVELS as readonly string[]).includes(level)) problems.push(`"log_level" must be one of ${LOG_LEVELS.join(', ')}.`);

  const sitesRoot = options.optionalPath('sites_root', 'It is the folder that contains all sites, such as "/www/wwwroot".');
  if (sitesRoot === null)
    warnings.push(
      '"sites_root" is not set, so the panel may request scans of any folder. Set it to the folder that contains the ' +
        'sites, such as "/www/wwwroot".',
    );
  else if (sitesRoot === path.parse(sitesRoot).root)
    problems.push('"sites_root" is the whole disk. Set it to the folder that contains the sites, such as "/www/wwwroot".');

  const stateDir =
    options.optionalPath('state_dir', 'It is a folder that only the agent uses, such as "/var/lib/svc-agent".') ??
    path.resolve(env.STATE_DIRECTORY?.split(':')[0] || path.join(folder, 'svc-agent-state'));
  const quarantine = raw.quarantine === true;
  if (raw.quarantine !== undefined && typeof raw.quarantine !== 'boolean') problems.push('"quarantine" must be true or false.');
  if (quarantine) problems.push(...quarantineProblems(sitesRoot, stateDir, capabilities));
  if (quarantine) capabilities.push(QUARANTINE_CAPABILITY);
  const hosting = readHosting(raw.hosting, problems);
  if (hosting) problems.push(...hostingProblems(hosting, stateDir, capabilities));
  if (hosting) capabilities.push(SITES_CAPABILITY);
  const caFile = options.optionalPath('ca_file', 'It is the path of a PEM file.');
  const textSuffixes = options.words('text_suffixes', TEXT_SUFFIXES).map(bareSuffix);

  if (problems.length > 0 || svcUrl === null) throw new ConfigError(problems);
  return {
    config: {
      svcUrl,
      platformSecret,
      nodeId,
      nodeSecret,
      nodeName,
      intervalSeconds,
      capabilities,
      logLevel: level as LogLevel,
      sitesRoot,
      quarantine,
      hosting,
      stateDir,
      scanIntervalSeconds,
      textSuffixes,
      caFile,
    },
    warnings,
  };
}

/** Returns why quarantine cannot work with this config. */
function quarantineProblems(sitesRoot: string | null, stateDir: string, capabilities: readonly string[]): string[] {
  const problems: string[] = [];
  if (process.platform !== 'linux') problems.push('"quarantine" works on Linux only. Leave it out.');
  if (sitesRoot === null) problems.push('"quarantine" needs "sites_root": the folder from which files may be moved to quarantine.');
  else if (`${stateDir}/`.startsWith(`${sitesRoot}/`))
    problems.push(
      '"quarantine": "state_dir" is inside "sites_root", so sites could serve it. Set it to a folder outside, such as ' +
        '"/var/lib/svc-agent".',
    );
  if (!capabilities.includes('task'))
    problems.push('"quarantine" needs "task" in "capabilities": files are moved to quarantine by tasks of the panel.');
  return problems;
}

/** Returns why hosting cannot work with this config. */
function hostingProblems({ root }: HostingConfig, stateDir: string, capabilities: readonly string[]): string[] {
  const problems: string[] = [];
  if (process.platform !== 'linux') problems.push('"hosting" works on Debian only. Leave it out.');
  if (`${stateDir}/`.startsWith(`${root}/`))
    problems.push('"hosting": "state_dir" is inside the folder of the sites. Set it to a folder outside, such as "/var/lib/svc-agent".');
  if (!capabilities.includes('task')) problems.push('"hosting" needs "task" in "capabilities": sites are created by tasks of the panel.');
  return problems;
}

/** Normalizes a suffix: `.PHP` becomes `php`. */
export function bareSuffix(suffix: string) {
  return suffix.trim().toLowerCase().replace(/^\./, '');
}
