import * as fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { codeOf } from '../../errors.js';
import { readText } from '../files.js';
import { dotted, type ProgramName } from '../programs/program-table.js';
import { mustRun, pathOf, startDaemon } from '../programs/run-program.js';
import { HostRefusal } from '../refusal.js';
import { phpOf, type ServiceName, type Services } from './services.js';

/** How long a service may take to start or stop, in milliseconds. */
const TIMEOUT_MS = 15_000;
const POLL_EVERY_MS = 20;

/** How a service is started and signalled. */
interface Daemon {
  readonly program: ProgramName;
  readonly version?: string;
  readonly args: readonly string[];
  readonly pidFile: string;
  readonly reload: NodeJS.Signals;
  readonly stop: NodeJS.Signals;
}

/**
 * Runs services as plain processes with PID files on a machine without systemd, such as a container. PHP-FPM runs undaemonized: a
 * daemonized master forks again under a new PID on every reload, and a second reload at that moment would be lost.
 */
export class DirectServices implements Services {
  /** @param settings folder with the configuration of PHP @param run folder of its PID files */
  constructor(
    private readonly settings: string,
    private readonly run: string,
  ) {}

  async isRunning(name: ServiceName): Promise<boolean> {
    return (await this.processOf(name)) !== null;
  }

  async start(name: ServiceName): Promise<void> {
    if (await this.isRunning(name)) return;
    const { program, args, version } = this.daemon(name);
    if (version !== undefined) return startDaemon(program, args, version, () => this.isRunning(name));
    await mustRun(program, args);
    await until(() => this.isRunning(name), `${name} did not start.`);
  }

  async stop(name: ServiceName): Promise<void> {
    const pid = await this.processOf(name);
    if (pid === null) return;
    process.kill(pid, this.daemon(name).stop);
    await until(async () => !(await this.isRunning(name)), `${name} did not stop.`);
  }

  async reload(name: ServiceName): Promise<void> {
    const pid = await this.processOf(name);
    if (pid === null) return this.start(name);
    process.kill(pid, this.daemon(name).reload);
  }

  async reopenLogs(): Promise<void> {
    const pid = await this.processOf('nginx');
    if (pid !== null) process.kill(pid, 'SIGUSR1');
  }

  private daemon(name: ServiceName): Daemon {
    const version = phpOf(name);
    if (version === null) {
      return name === 'nginx'
        ? { program: 'nginx', args: [], pidFile: '/run/nginx.pid', reload: 'SIGHUP', stop: 'SIGQUIT' }
        : { program: 'sshd', args: [], pidFile: '/run/sshd.pid', reload: 'SIGHUP', stop: 'SIGTERM' };
    }
    const pidFile = path.join(this.run, `php-${version}.pid`);
    const args = ['--nodaemonize', '--fpm-config', path.join(this.settings, 'php', dotted(version), 'php-fpm.conf'), '--pid', pidFile];
    return { program: 'php-fpm', version, args, pidFile, reload: 'SIGUSR2', stop: 'SIGQUIT' };
  }

  /** Returns the PID of the service; null if the PID now belongs to another program. */
  private async processOf(name: ServiceName): Promise<number | null> {
    const { pidFile, program, version } = this.daemon(name);
    const pid = Number.parseInt((await readText(pidFile)) ?? '', 10);
    if (!Number.isInteger(pid) || pid <= 1) return null;
    try {
      // After an update the running file shows as deleted; after a reload the path is the target of its link.
      const [running, installed] = await Promise.all([fs.readlink(`/proc/${pid}/exe`), fs.realpath(pathOf(program, version))]);
      return running.replace(/ \(deleted\)$/, '') === installed ? pid : null;
    } catch (error) {
      if (['ENOENT', 'ESRCH', 'EACCES'].includes(codeOf(error))) return null;
      throw error;
    }
  }
}

async function until(isSo: () => Promise<boolean>, otherwise: string): Promise<void> {
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end;) {
    if (await isSo()) return;
    await sleep(POLL_EVERY_MS);
  }
  throw new HostRefusal('PROGRAM', otherwise);
}
