import * as fs from 'node:fs/promises';
import path from 'node:path';

import { parseConfig } from '../config/parse-config.js';
import { asRecord } from '../record.js';
import { replaceFile } from '../files/replace-file.js';
import { enroll } from './enroll.js';
import { InstallProblem } from './install-problem.js';
import { type InstallPlan, type InstallChoices, PATHS, planInstall, planText } from './install-plan.js';
import { runVisibly } from './server-programs.js';

/** Options and I/O of an installation. */
export interface Installation extends InstallChoices {
  /** Address of the panel; null keeps the present config. */
  readonly panel: string | null;
  readonly token: string | null;
  /** Path of this program. */
  readonly program: string;
  readonly write: (text: string) => void;
  /** Asks for confirmation. */
  readonly ask: () => Promise<boolean>;
}

/**
 * Installs or updates the agent: shows the changes, asks for confirmation and applies them. Nothing changes before the confirmation, and an
 * interrupted installation can be repeated.
 *
 * @returns exit code
 * @throws InstallProblem
 */
export async function install(wanted: Installation): Promise<number> {
  requireRoot();
  const present = await fs.readFile(PATHS.config, 'utf8').catch(() => null);
  if (wanted.panel === null && present === null)
    throw new InstallProblem('Set the address of the panel and the token from the panel: --panel https://panel.example.com --token …');
  if (wanted.panel !== null && wanted.token === null) throw new InstallProblem('Set the token from the panel: --token …');
  const before = readPresent(present);
  // An update grants the agent no new rights: hosting must be requested explicitly with a new token.
  const scanOnly = wanted.scanOnly || (wanted.panel === null && !before.hosting);
  const program = await fs.readFile(wanted.program, 'utf8');
  const plan = await planInstall({ scanOnly, adminerName: wanted.adminerName ?? adminerOf(before) }, program);
  wanted.write(planText(plan, wanted.panel ?? String(before.svc_url)));
  if (!(await wanted.ask())) {
    wanted.write('Nothing was changed.\n');
    return 1;
  }
  // Stored first, so that an interrupted installation can be undone.
  await note(plan);
  if (plan.packages.length > 0) {
    await runVisibly('apt-get', ['update', '-q']);
    await runVisibly('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...plan.packages]);
  }
  for (const [file, content] of plan.files) await put(file, content, 0o644);
  await putConfig({ ...wanted, scanOnly }, before);
  for (const file of plan.removed) await fs.rm(file, { force: true });
  if (plan.hasSystemd) {
    await runVisibly('systemctl', ['daemon-reload']);
    await runVisibly('systemctl', ['enable', '--quiet', 'svc-agent.service']);
    await runVisibly('systemctl', ['restart', 'svc-agent.service']);
  }
  wanted.write(
    plan.hasSystemd
      ? 'Done. Log of the agent: journalctl -u svc-agent\n'
      : `Done. Start the agent with: node ${PATHS.program} --config ${PATHS.config}\n`,
  );
  return 0;
}

/** Uninstalls the agent. Packages stay because other programs may need them by now. @throws InstallProblem while there are sites */
export async function uninstall({ write, ask }: Pick<Installation, 'write' | 'ask'>): Promise<number> {
  requireRoot();
  const noted = JSON.parse(await fs.readFile(PATHS.record, 'utf8').catch(() => '{}')) as { files?: string[]; packages?: string[] };
  const sites = (await fs.readdir(path.join(PATHS.state, 'sites')).catch((): string[] => [])).filter((name) => name.endsWith('.json'));
  if (sites.length > 0)
    throw new InstallProblem(
      `This server still has ${sites.length} site(s), including the bin. First delete them in the panel, or move them to another server.`,
    );
  const files = [...(noted.files ?? []), PATHS.config, '/etc/nginx/conf.d/svc-hosting.conf', '/etc/ssh/sshd_config.d/svc-hosting.conf'];
  const folders = ['/opt/svc-agent', '/etc/svc-agent', '/etc/svc-hosting', '/var/lib/svc-hosting', PATHS.state];
  write(`The agent will be stopped and removed:\n${[...files, ...folders].map((file) => `- ${file}\n`).join('')}`);
  if (noted.packages?.length) write(`Installed packages are kept: ${noted.packages.join(' ')}\n`);
  if (!(await ask())) {
    write('Nothing was changed.\n');
    return 1;
  }
  const hasSystemd = await fs.access('/run/systemd/system').then(
    () => true,
    () => false,
  );
  const versions = await fs.readdir('/etc/svc-hosting/php').catch((): string[] => []);
  for (const unit of hasSystemd ? ['svc-agent.service', ...versions.map((version) => `svc-php@${version}.service`)] : [])
    await runVisibly('systemctl', ['disable', '--now', '--quiet', unit]).catch(() => undefined);
  for (const file of files) await fs.rm(file, { force: true });
  for (const folder of folders) await fs.rm(folder, { recursive: true, force: true });
  // Removed only if empty: they may contain other people's files.
  for (const folder of ['/srv/svc', '/etc/systemd/system/svc-agent.service.d']) await fs.rmdir(folder).catch(() => undefined);
  if (hasSystemd) {
    await runVisibly('systemctl', ['daemon-reload']);
    for (const service of ['nginx', 'ssh'])
      await runVisibly('systemctl', ['try-reload-or-restart', `${service}.service`]).catch(() => undefined);
  }
  write('Done.\n');
  return 0;
}

function requireRoot(): void {
  if (process.getuid?.() !== 0) throw new InstallProblem('Run this as root: it changes system services.');
}

async function put(file: string, content: string, mode: number): Promise<void> {
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o755 });
  await replaceFile(file, (handle) => handle.writeFile(content));
  await fs.chmod(file, mode);
}

type Present = Readonly<Record<string, unknown>>;

/** Parses the present config. @throws InstallProblem if it is invalid */
function readPresent(text: string | null): Present {
  try {
    return asRecord(JSON.parse(text ?? '{}')) ?? {};
  } catch {
    throw new InstallProblem(`${PATHS.config} is not valid JSON. Repair it, or move it away and install with a new token from the panel.`);
  }
}

function adminerOf({ hosting }: Present): string | null {
  const name = asRecord(hosting)?.adminer_name;
  return typeof name === 'string' ? name : null;
}

async function putConfig({ panel, token, scanOnly, adminerName }: Installation, before: Present): Promise<void> {
  const given = panel === null ? before : { ...before, ...(await enroll(panel, token ?? '')) };
  const settings = typeof before.hosting === 'object' && before.hosting !== null ? before.hosting : {};
  const hosting = scanOnly ? false : { ...settings, ...(adminerName === null ? {} : { adminer_name: adminerName }) };
  const config = { ...given, hosting, state_dir: PATHS.state, ...(scanOnly ? {} : { sites_root: '/srv/svc' }) };
  // Validates the config before writing it.
  parseConfig(JSON.stringify(config), path.dirname(PATHS.config));
  await put(PATHS.config, `${JSON.stringify(config, null, 2)}\n`, 0o600);
}

async function note({ files, packages }: InstallPlan): Promise<void> {
  const before = JSON.parse(await fs.readFile(PATHS.record, 'utf8').catch(() => '{}')) as { files?: string[]; packages?: string[] };
  const all = {
    files: [...new Set([...(before.files ?? []), ...files.keys()])],
    packages: [...new Set([...(before.packages ?? []), ...packages])],
  };
  await fs.mkdir(PATHS.state, { recursive: true, mode: 0o700 });
  await put(PATHS.record, JSON.stringify(all), 0o600);
}
