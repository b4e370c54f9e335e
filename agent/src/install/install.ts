import * as fs from 'node:fs/promises';
import path from 'node:path';

import { parseConfig } from '../config/parse-config.js';
import { asRecord } from '../record.js';
import { replaceFile } from '../files/replace-file.js';
import { enroll } from './enroll.js';
import { InstallProblem } from './install-problem.js';
import { type InstallPlan, type InstallWishes, PLACES, planInstall, planText } from './install-plan.js';
import { runVisibly } from './server-programs.js';

/** An installation, as the command line asks for it. */
export interface Installation extends InstallWishes {
  /** Address of the panel; null: the config that is there stays. */
  readonly panel: string | null;
  readonly token: string | null;
  /** This program. */
  readonly program: string;
  readonly write: (text: string) => void;
  /** Whether somebody agrees. */
  readonly ask: () => Promise<boolean>;
}

/**
 * Sets this server up, or brings what is there up to date: says what it will change, asks, and does it. Nothing is changed before somebody
 * has agreed, and whatever ends it in the middle, it can be done again.
 *
 * @returns exit code
 * @throws InstallProblem
 */
export async function install(wanted: Installation): Promise<number> {
  requireRoot();
  const present = await fs.readFile(PLACES.config, 'utf8').catch(() => null);
  if (wanted.panel === null && present === null)
    throw new InstallProblem('Give the address of the panel and the token it shows: --panel https://panel.example.com --token …');
  if (wanted.panel !== null && wanted.token === null) throw new InstallProblem('Give the token the panel shows: --token …');
  const before = readPresent(present);
  // Brought up to date, the agent gets no right it had not: that takes somebody who says so, with a new token.
  const scanOnly = wanted.scanOnly || (wanted.panel === null && !before.hosting);
  const program = await fs.readFile(wanted.program, 'utf8');
  const plan = await planInstall({ scanOnly, adminerName: wanted.adminerName ?? adminerOf(before) }, program);
  wanted.write(planText(plan, wanted.panel ?? String(before.svc_url)));
  if (!(await wanted.ask())) {
    wanted.write('Nothing was changed.\n');
    return 1;
  }
  // Noted first: whatever ends it in the middle can be taken back.
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
    `Done. ${plan.hasSystemd ? 'Its log: journalctl -u svc-agent' : `Start it with: node ${PLACES.program} --config ${PLACES.config}`}\n`,
  );
  return 0;
}

/** Takes an installation back. Packages stay: other things may need them by now. @throws InstallProblem while there are sites */
export async function uninstall({ write, ask }: Pick<Installation, 'write' | 'ask'>): Promise<number> {
  requireRoot();
  const noted = JSON.parse(await fs.readFile(PLACES.record, 'utf8').catch(() => '{}')) as { files?: string[]; packages?: string[] };
  const sites = (await fs.readdir(path.join(PLACES.state, 'sites')).catch((): string[] => [])).filter((name) => name.endsWith('.json'));
  if (sites.length > 0)
    throw new InstallProblem(
      `There are ${sites.length} sites on this server, in the bin too. Delete them in the panel, or move them to another server, first.`,
    );
  const files = [...(noted.files ?? []), PLACES.config, '/etc/nginx/conf.d/svc-hosting.conf', '/etc/ssh/sshd_config.d/svc-hosting.conf'];
  const folders = ['/opt/svc-agent', '/etc/svc-agent', '/etc/svc-hosting', '/var/lib/svc-hosting', PLACES.state];
  write(`The agent will be stopped and removed:\n${[...files, ...folders].map((file) => `- ${file}\n`).join('')}`);
  if (noted.packages?.length) write(`Packages stay. Those it had installed: ${noted.packages.join(' ')}\n`);
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
  // Others may have put something there.
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
  if (process.getuid?.() !== 0) throw new InstallProblem('Run this as root: it sets up services of this server.');
}

async function put(file: string, content: string, mode: number): Promise<void> {
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o755 });
  await replaceFile(file, (handle) => handle.writeFile(content));
  await fs.chmod(file, mode);
}

type Present = Readonly<Record<string, unknown>>;

/** The config that is there. @throws InstallProblem for one that is none */
function readPresent(text: string | null): Present {
  try {
    return asRecord(JSON.parse(text ?? '{}')) ?? {};
  } catch {
    throw new InstallProblem(`${PLACES.config} is no JSON. Mend it, or move it away and install with a new token of the panel.`);
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
  const config = { ...given, hosting, state_dir: PLACES.state, ...(scanOnly ? {} : { sites_root: '/srv/svc' }) };
  // What the agent would not take is not written.
  parseConfig(JSON.stringify(config), path.dirname(PLACES.config));
  await put(PLACES.config, `${JSON.stringify(config, null, 2)}\n`, 0o600);
}

async function note({ files, packages }: InstallPlan): Promise<void> {
  const before = JSON.parse(await fs.readFile(PLACES.record, 'utf8').catch(() => '{}')) as { files?: string[]; packages?: string[] };
  const all = {
    files: [...new Set([...(before.files ?? []), ...files.keys()])],
    packages: [...new Set([...(before.packages ?? []), ...packages])],
  };
  await fs.mkdir(PLACES.state, { recursive: true, mode: 0o700 });
  await put(PLACES.record, JSON.stringify(all), 0o600);
}
