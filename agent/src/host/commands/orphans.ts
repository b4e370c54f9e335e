import * as fs from 'node:fs/promises';

/** Maximum number of scans: a killed process may have started further orphans. */
const MAX_SCANS = 5;

/**
 * Kills the processes that commands of a site left behind: processes of its user whose parent has exited, whatever their session. PHP, SFTP
 * and the agent's own workers for the site have living parents.
 *
 * @param uid of the site, used by no other site
 */
export async function endOrphans(uid: number): Promise<void> {
  for (let scan = 0; scan < MAX_SCANS; scan += 1) {
    const found = await orphansOf(uid);
    if (found.length === 0) return;
    for (const pid of found) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has exited already.
      }
    }
  }
}

async function orphansOf(uid: number): Promise<number[]> {
  const pids = (await fs.readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found: number[] = [];
  for (const pid of pids) {
    const status = await fs.readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const has = (name: string, value: string): boolean => new RegExp(`^${name}:\\s*${value}\\b`, 'm').test(status);
    if (has('Uid', String(uid)) && has('PPid', '1') && !has('State', 'Z')) found.push(Number(pid));
  }
  return found;
}
