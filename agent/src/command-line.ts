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

const HELP = `svc-agent ${AGENT_VERSION}: works for the hosting panel on this server.

  node svc-agent.mjs --config agent.json

  --config FILE   the config the panel showed when the node was added (default: agent.json beside this file)
  --check         looks at config, folders and connection, says what is wrong, changes nothing
  --once          one round: heartbeat, tasks, reports; then ends
  --version       prints the version
  --help          prints this

  --install       sets this server up for a panel, or brings what is there up to date: says what it will change and asks
    --panel URL --token TOKEN   as the panel prints them; without them the config that is there stays
    --adminer-name HOST         name by which Adminer is reached; not offered without it
    --scan-only                 looks for forbidden words and makes no sites
    --yes                       does not ask
    --undo                      takes the installation back

Exit codes: 0 done, 1 failed, 2 the config or the command line is wrong.
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
      write(`The disk of the agent's state folder is full (${messageOf(error)}). Make room there.\n`);
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
