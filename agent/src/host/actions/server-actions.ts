import type { ActionName } from '../../../../src/agents/wire/actions.js';
import { AGENT_VERSION } from '../../version.js';
import { answered } from '../action-result.js';
import type { AdminerAccess } from '../database/adminer-access.js';
import type { Databases } from '../database/databases.js';
import { readText } from '../files.js';
import type { HostingConfig } from '../../config/hosting-config.js';
import type { PhpPools } from '../php/php-pools.js';
import { isInstalled, runProgram } from '../programs/run-program.js';
import type { ActionHandlers } from './action-handlers.js';
import { diskOf } from './site-actions.js';

type Names = Extract<ActionName, `server.${string}`>;

/** Actions that describe this server. */
export function serverActions(config: HostingConfig, php: PhpPools, databases: Databases, door: AdminerAccess): ActionHandlers<Names> {
  return {
    'server.probe': async () =>
      answered({
        system: /^PRETTY_NAME="?([^"\n]*)/m.exec((await readText('/etc/os-release')) ?? '')?.[1]?.slice(0, 200) ?? 'Linux',
        versions: {
          nginx: await versionOf('nginx', ['-v'], /nginx\/([\d.]+)/),
          mariadb: (await databases.version())?.slice(0, 40) ?? null,
          sshd: await versionOf('sshd', ['-V'], /OpenSSH_([\w.]+)/),
          agent: AGENT_VERSION,
        },
        php: await php.versions(),
        disk: await diskOf(config.root),
        adminer: (await door.isOffered()) ? config.adminerName : null,
        zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      }),
  };
}

async function versionOf(program: 'nginx' | 'sshd', args: string[], pattern: RegExp): Promise<string | null> {
  if (!isInstalled(program)) return null;
  const { stdout, stderr } = await runProgram(program, args);
  return pattern.exec(`${stdout}${stderr}`)?.[1] ?? null;
}
