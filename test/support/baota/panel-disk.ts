import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Disk of a fake server panel: paths of the server below a folder of this machine. */
export class FakeDisk {
  constructor(readonly root: string) {}

  /** Returns the local path of a path on the server. */
  at(path: string): string {
    if (!path.startsWith('/') || path.split('/').includes('..')) throw new Error(`A call had the path ${JSON.stringify(path)}.`);
    return join(this.root, path);
  }

  /** Returns the names of the folders in a folder. */
  folders(path: string): string[] {
    return readdirSync(this.at(path), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  }

  /** Returns the size of everything below a path, in bytes; 0 if it does not exist. */
  size(path: string): number {
    const at = this.at(path);
    if (!existsSync(at)) return 0;
    const found = statSync(at);
    if (!found.isDirectory()) return found.size;
    return readdirSync(at).reduce((sum, name) => sum + this.size(`${path}/${name}`), 0);
  }

  /** Returns the last thousand lines of the log of a site. */
  log(siteName: string): string {
    const at = this.at(`/www/wwwlogs/${siteName}.log`);
    return existsSync(at) ? readFileSync(at, 'utf8').split('\n').slice(-1_001).join('\n') : '日志为空';
  }
}
