import * as fs from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { Agent } from './agent.js';
import { check } from './check.js';
import { type Config, ConfigError } from './config/config.js';
import { loadConfig } from './config/load-config.js';
import { isDiskFull, messageOf } from './errors.js';
import { OpenSites } from './host/open-sites.js';
import { INSTALL_OPTIONS, installFrom } from './install/install-options.js';
import { Log } from './log.js';
import { LogFiles } from './log-files.js';
import { PanelClient } from './panel/panel-client.js';
import { signingKey } from './panel/signature.js';
import { LockedError, takeLock } from './state/lock.js';
import { StateStore } from './state/state-store.js';
import { AGENT_VERSION } from './version.js';

const HELP = `svc-agent ${AGENT_VERSION}: the agent of the hosting panel on this server.

  node svc-agent.mjs --config agent.json

  --config FILE   the config from the panel, shown when the node was added (default: agent.json next to this file)
  --check         checks config, folders, connection and clock, reports problems, changes nothing
  --once          runs one round (heartbeat, tasks, reports), then exits
  --version       prints the version
  --help          prints this

  --install       installs or updates the agent on this server: lists the changes and asks for confirmation
    --panel URL --token TOKEN   as shown by the panel; without them the existing config is kept
    --adminer-name HOST         host name for Adminer; without it Adminer is not set up
    --scan-only                 only scans sites for forbidden words, hosts no sites
    --yes                       does not ask for confirmation
    --undo                      uninstalls the agent

Exit codes: 0 success, 1 failure, 2 invalid config or command line.
`;

/**
 * Runs the program.
 *
 * @returns exit code
 */
export async function main(
  args: string[],
  {
    write = (text) => void process.stdout.write(text),
    stop = new AbortController(),
  }: { write?: (text: string) => void; stop?: AbortController } = {},
): Promise<number> {
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        config: { type: 'string' },
        check: { type: 'boolean' },
        once: { type: 'boolean' },
        version: { type: 'boolean' },
        help: { type: 'boolean' },
        ...INSTALL_OPTIONS,
      },
    }));
  } catch (error) {
    write(`${messageOf(error)}\n\n${HELP}`);
    return 2;
  }
  if (values.help || values.version) {
    write(values.help ? HELP : `${AGENT_VERSION}\n`);
    return 0;
  }
  if (values.install) return installFrom(values, write);
  const file = values.config ?? path.join(path.dirname(process.argv[1] ?? '.'), 'agent.json');
  try {
    const { config, warnings } = await loadConfig(file);
    const ca = config.caFile === null ? undefined : await fs.readFile(config.caFile, 'utf8');
    const client = new PanelClient(config, ca === undefined ? {} : { ca });
    if (values.check) return await check(config, warnings, client, write);
    return await start(config, warnings, client, { once: values.once === true, write, stop, ca });
  } catch (error) {
    if (error instanceof ConfigError || error instanceof LockedError) {
      write(`${error.message}\n`);
      return error instanceof ConfigError ? 2 : 1;
    }
    // The systemd unit restarts the agent until there is free space.
    if (isDiskFull(error)) {
      write(`The disk of the agent's state folder is full (${messageOf(error)}). Free some space there.\n`);
      return 1;
    }
    throw error;
  }
}

async function start(
  config: Config,
  warnings: string[],
  client: PanelClient,
  { once, write, stop, ca }: { once: boolean; write: (text: string) => void; stop: AbortController; ca: string | undefined },
) {
  const store = await StateStore.open(config.stateDir);
  const unlock = await takeLock(config.stateDir);
  const logFiles = new LogFiles(path.join(config.stateDir, 'log'));
  const log = new Log(
    config.logLevel,
    [config.platformSecret, config.nodeSecret, signingKey(config.platformSecret, config.nodeSecret)],
    (line) => {
      write(line);
      logFiles.append(line);
    },
  );
  for (const warning of warnings) log.warning(warning);
  const onSignal = (signal: NodeJS.Signals) => {
    log.info('Stopping', { signal });
    stop.abort();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
  try {
    log.info('Started', {
      version: AGENT_VERSION,
      node: config.nodeId,
      panel: config.svcUrl.href,
      interval_seconds: config.intervalSeconds,
      pid: process.pid,
    });
    const program = path.resolve(process.argv[1] ?? '.');
    const { hosting } = config;
    const sites = hosting && new OpenSites({ config, hosting, client, store, log, logFiles, program, ...(ca ? { ca } : {}) });
    const agent = new Agent({ config, client, store, log, stop: stop.signal, ...(sites ? { sites } : {}) });
    await agent.recover();
    if (!once) {
      await agent.run();
      return 0;
    }
    try {
      await agent.round();
      await agent.idle();
      return 0;
    } catch (error) {
      log.error(`No heartbeat: ${messageOf(error)}`);
      return 1;
    } finally {
      await agent.finish();
    }
  } finally {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.off(signal, onSignal);
    await unlock();
    log.info('Ended');
    logFiles.close();
  }
}
