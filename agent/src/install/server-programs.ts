import { spawn } from 'node:child_process';

import { InstallProblem } from './install-problem.js';

/** Programs used only by the installation. */
const PROGRAMS = { 'apt-get': '/usr/bin/apt-get', systemctl: '/usr/bin/systemctl' } as const;

/** Runs a program with its output on the terminal. @throws InstallProblem */
export function runVisibly(program: keyof typeof PROGRAMS, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', HOME: '/root', DEBIAN_FRONTEND: 'noninteractive' };
    const child = spawn(PROGRAMS[program], args, { shell: false, stdio: ['ignore', 'inherit', 'inherit'], env });
    child.on('error', () => reject(new InstallProblem(`${PROGRAMS[program]} cannot be started. Check that this server runs Debian.`)));
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new InstallProblem(`${program} ${args.join(' ')} exited with ${code}. See its output above.`)),
    );
  });
}
