import { readFile, statfs } from 'node:fs/promises';

/** Usage of a file system. */
export interface Disk {
  /** Mount point. */
  mount: string;
  /** Used share of the space available to non-root users, 0 to 100, computed like `df`. */
  percent: number;
}

/** Disk usage changes slowly and each measurement is a system call. */
const MEASURED_EVERY_MS = 60_000;
const MAX_DISKS = 16;
/** Read-only file systems, which are always full. */
const IMAGES = new Set(['squashfs', 'iso9660', 'erofs']);

/**
 * Returns the mount points of local disks, each disk once. Network file systems are left out: they can hang and are not this server's. `/`
 * is always included, also in a container.
 */
export function mountsOf(table: string): string[] {
  const found = new Map<string, string>();
  for (const line of table.split('\n')) {
    const [device = '', mount = '', type = ''] = line.split(' ');
    const mountPoint = mount.replace(/\\([0-7]{3})/g, (_text, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
    const isDisk = (device.startsWith('/dev/') || type === 'zfs' || type === 'btrfs') && !IMAGES.has(type);
    if (!isDisk && mountPoint !== '/') continue;
    const known = found.get(device);
    // A disk can have several mount points, such as folders of containers; the shortest is its main one.
    if (known === undefined || mountPoint.length < known.length) found.set(device, mountPoint);
  }
  return [...new Set(found.values())].sort().slice(0, MAX_DISKS);
}

/** Measures the disks of this server, at most once a minute. */
export class Disks {
  private last: { at: number; disks: Disk[] | undefined } | null = null;

  constructor(
    private readonly now: () => number,
    private readonly table = '/proc/self/mounts',
  ) {}

  /** Returns the disks; undefined if this system does not provide them. */
  async measure(): Promise<Disk[] | undefined> {
    if (this.last && this.now() - this.last.at < MEASURED_EVERY_MS) return this.last.disks;
    const table = await readFile(this.table, 'utf8').catch(() => '');
    const found = await Promise.all(mountsOf(table).map((mount) => this.diskAt(mount)));
    const disks = found.filter((disk) => disk !== null);
    this.last = { at: this.now(), disks: disks.length > 0 ? disks : undefined };
    return this.last.disks;
  }

  private async diskAt(mount: string): Promise<Disk | null> {
    const { blocks, bfree, bavail } = await statfs(mount).catch(() => ({ blocks: 0, bfree: 0, bavail: 0 }));
    const used = blocks - bfree;
    return used + bavail > 0 ? { mount, percent: Math.round((used / (used + bavail)) * 1_000) / 10 } : null;
  }
}
