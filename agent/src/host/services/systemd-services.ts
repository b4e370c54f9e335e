import { dotted } from '../programs/program-table.js';
import { mustRun, runProgram } from '../programs/run-program.js';
import { phpOf, type ServiceName, type Services } from './services.js';

/** Services run as systemd units. */
export class SystemdServices implements Services {
  async isRunning(name: ServiceName): Promise<boolean> {
    return (await runProgram('systemctl', ['is-active', '--quiet', unitOf(name)])).code === 0;
  }

  async start(name: ServiceName): Promise<void> {
    // Enabled, so that it also starts at boot before the agent.
    await mustRun('systemctl', ['enable', '--now', '--quiet', unitOf(name)], { timeoutMs: 60_000 });
  }

  async stop(name: ServiceName): Promise<void> {
    await mustRun('systemctl', ['stop', unitOf(name)], { timeoutMs: 60_000 });
  }

  async reopenLogs(): Promise<void> {
    await mustRun('systemctl', ['kill', '--kill-who=main', '--signal=USR1', unitOf('nginx')]);
  }

  async reload(name: ServiceName): Promise<void> {
    await mustRun('systemctl', ['reload-or-restart', unitOf(name)], { timeoutMs: 60_000 });
  }
}

function unitOf(name: ServiceName): string {
  const version = phpOf(name);
  return version === null ? `${name}.service` : `svc-php@${dotted(version)}.service`;
}
