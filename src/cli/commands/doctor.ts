import { errorMessage } from '../../common/index.js';
import { AppConfig, ConfigurationError } from '../../config/index.js';
import { API_VERSION } from '../../sdk/index.js';

import {
  broken,
  checkBackup,
  checkCertificates,
  checkRestored,
  checkClock,
  checkDataFolder,
  checkIntegrity,
  checkLeftOut,
  checkPlugins,
  checkPorts,
  checkSecretKeyFile,
  checkVersion,
  fine,
  openReadOnly,
  sealedCheck,
  translateFinding,
  warning,
  type HealthFinding,
  type ReadOnlyDatabase,
} from '../../health/index.js';

import type { Command } from './command.js';

/** `svc doctor` */
export const doctor: Command = {
  name: 'doctor',
  usage: '[--json]',
  summary: 'Checks this installation and says how to fix what is wrong.',
  details: [
    'Checks configuration, data folder, disk, database, secret.key, plugins, clock, backups and ports. It only reads, and never takes',
    'the write lock of SQLite, so it can run beside a busy panel. Exits with 1 if a check failed, otherwise with 0, also with warnings.',
  ],
  options: { json: { type: 'boolean' } },
  positionals: { min: 0, max: 0 },
  async run(terminal, _words, options) {
    const findings = (await examine(terminal.env)).map((finding) => translateFinding(finding, 'en'));
    const isBroken = findings.some(({ state }) => state === 'broken');
    if (options.json) terminal.print(JSON.stringify({ version: API_VERSION, healthy: !isBroken, findings }));
    else {
      terminal.print(`Panel ${API_VERSION} on Node ${process.versions.node}`);
      for (const { check, state, text, advice } of findings) {
        terminal.print(`  ${state.padEnd(6)}  ${check.padEnd(13)}  ${text}`);
        if (advice) terminal.print(`${' '.repeat(25)}${advice}`);
      }
      terminal.print(isBroken ? 'Problems were found.' : 'No problems were found.');
    }
    return isBroken ? 1 : 0;
  },
};

/** Runs all checks in sequence; a failed check is reported as a finding. */
export async function examine(env: NodeJS.ProcessEnv): Promise<HealthFinding[]> {
  let config: AppConfig;
  try {
    config = new AppConfig(env);
  } catch (error) {
    const problems = error instanceof ConfigurationError ? error.problems : [errorMessage(error)];
    return problems.map((problem) => broken('configuration', 'problem', { problem }, 'config_advice'));
  }
  const findings = [
    fine('configuration', 'services', { count: config.services.size, names: [...config.services].join(', ') }),
    ...checkDataFolder(config),
  ];
  let database: ReadOnlyDatabase | null = null;
  try {
    database = await openReadOnly(config);
    if (database) {
      findings.push(
        await checkVersion(database),
        await checkIntegrity(database),
        await checkClock(database, new Date()),
        ...(await checkPlugins(database)),
      );
      findings.push(
        ...(await checkBackup(database, new Date())),
        ...(await checkLeftOut(database)),
        ...(await checkCertificates(database)),
        ...(await checkRestored(database)),
      );
      findings.push(checkSecretKeyFile(config, await sealedCheck(database)));
    } else findings.push(warning('database', 'not_there', { path: config.sqlitePath! }, 'not_there_advice'));
  } catch (error) {
    findings.push(broken('database', 'unreadable', { problem: errorMessage(error) }, 'unreadable_advice'));
  } finally {
    await database?.close().catch(() => undefined);
  }
  return [...findings, ...(await checkPorts(config))];
}
