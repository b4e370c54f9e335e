import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

import type { FakeDisk } from './panel-disk.js';
import { done, type Fields, no, type Reply } from './panel-sites.js';
import type { PanelState } from './panel-state.js';

/** Characters the panel's own interface rejects in names; unchecked names end up in shell commands. */
const SHELL = /[`$();&|<>"'\\!*?[\]{}#~\n]/;

/** File calls of a fake server panel: like the real one, it follows symbolic links to any target. */
export class PanelFileCalls {
  /** Paths with characters that are special in a shell. */
  readonly dangerous: string[] = [];

  constructor(
    private readonly state: PanelState,
    private readonly disk: FakeDisk,
  ) {}

  readonly calls: Record<string, (fields: Fields, blob?: Buffer) => Reply> = {
    '/files get_path_size': ({ path }) => ({ path, size: this.disk.size(path!) }),
    '/files GetDir': (fields) => this.list(fields),
    '/files GetFileBody': ({ path }) => {
      const at = this.disk.at(path!);
      if (!existsSync(at)) return no('指定文件不存在!');
      if (statSync(at).size > 3 * 1024 * 1024) return no('不能在线编辑大于3MB的文件!');
      return { status: true, data: readFileSync(at, 'utf8'), encoding: 'utf-8', size: statSync(at).size, only_read: false };
    },
    '/files SaveFileBody': ({ path, data }) => {
      const at = this.disk.at(path!);
      if (!existsSync(at)) return no('指定文件不存在!');
      if (path!.includes('/vhost/') && data!.includes('not-a-directive'))
        return no('配置文件错误: <br><a style="color:red;">nginx: [emerg] unknown directive</a>');
      writeFileSync(at, data!);
      return done('文件保存成功!');
    },
    '/files CreateFile': ({ path }) => {
      const at = this.disk.at(path!);
      if (existsSync(at)) return no('指定文件已存在!');
      mkdirSync(dirname(at), { recursive: true });
      writeFileSync(at, '');
      return done('文件创建成功!');
    },
    '/files CreateDir': ({ path }) => {
      const at = this.disk.at(path!);
      if (existsSync(at)) return no('指定目录已存在!');
      mkdirSync(at, { recursive: true });
      return done('目录创建成功!');
    },
    '/files DeleteFile': ({ path }) => {
      const at = this.disk.at(path!);
      if (!existsSync(at)) return no('指定文件不存在!');
      rmSync(at);
      return done('删除文件成功!');
    },
    '/files DeleteDir': ({ path }) => {
      const at = this.disk.at(path!);
      if (!existsSync(at)) return no('指定目录不存在!');
      rmSync(at, { recursive: true });
      return done('删除目录成功!');
    },
    '/files MvFile': ({ sfile, dfile }) => {
      if (!existsSync(this.disk.at(sfile!))) return no('指定文件不存在!');
      mkdirSync(dirname(this.disk.at(dfile!)), { recursive: true });
      renameSync(this.disk.at(sfile!), this.disk.at(dfile!));
      return done('移动或重命名文件成功!');
    },
    '/files CopyFile': ({ sfile, dfile }) => {
      const from = this.disk.at(sfile!);
      if (!existsSync(from)) return no('指定文件不存在!');
      mkdirSync(dirname(this.disk.at(dfile!)), { recursive: true });
      if (statSync(from).isDirectory()) cpSync(from, this.disk.at(dfile!), { recursive: true });
      else copyFileSync(from, this.disk.at(dfile!));
      return done('文件复制成功!');
    },
    '/files upload': (fields, blob) => this.upload(fields, blob ?? Buffer.alloc(0)),
    '/files create_download_url': ({ filename }) => {
      if (!existsSync(this.disk.at(filename!))) return no('指定文件不存在!');
      const [id, token] = [this.state.id(), randomBytes(6).toString('hex')];
      this.state.links.set(token, { id, path: filename! });
      return { status: true, msg: { id, token, filename, expire: 0, ps: '', password: '', total: 0, addtime: 0 } };
    },
    '/files remove_download_url': ({ id }) => {
      for (const [token, link] of this.state.links) if (String(link.id) === id) this.state.links.delete(token);
      return done('删除成功!');
    },
  };

  /** Records paths of a call that are dangerous in the shell commands of the real panel. */
  watch(fields: Fields): void {
    for (const name of ['path', 'sfile', 'dfile', 'filename', 'f_path', 'f_name', 'file'])
      if (fields[name] !== undefined && SHELL.test(fields[name])) this.dangerous.push(fields[name]);
  }

  private list({ path = '/www/wwwroot', p = '1', showRow = '100' }: Fields): Reply {
    const at = this.disk.at(path);
    if (!existsSync(at) || !statSync(at).isDirectory()) return no('指定目录不存在!');
    const names = readdirSync(at).filter((name) => existsSync(`${at}/${name}`));
    const isFolder = (name: string): boolean => statSync(`${at}/${name}`).isDirectory();
    const sorted = [...names.filter(isFolder).sort(), ...names.filter((name) => !isFolder(name)).sort()];
    const shown = sorted.slice((Number(p) - 1) * Number(showRow), Number(p) * Number(showRow));
    const line = (name: string): string => {
      const found = statSync(`${at}/${name}`);
      const link = lstatSync(`${at}/${name}`).isSymbolicLink() ? ` -> ${readlinkSync(`${at}/${name}`)}` : '';
      return [name, found.size, Math.floor(found.mtimeMs / 1_000), (found.mode & 0o777).toString(8), 'www', link, '0', '0', '0', '0'].join(
        ';',
      );
    };
    return {
      PATH: path,
      DIR: shown.filter(isFolder).map(line),
      FILES: shown.filter((name) => !isFolder(name)).map(line),
      PAGE: `<div><span class='Pcount'>共${names.length}条</span></div>`,
    };
  }

  private upload({ f_path = '', f_name = '', f_size = '0', f_start = '0' }: Fields, blob: Buffer): Reply {
    if (f_name.includes('./') || f_path.includes('./')) return no('错误的参数');
    mkdirSync(this.disk.at(f_path), { recursive: true });
    const part = this.disk.at(`${f_path}/${f_name}.${f_size}.upload.tmp`);
    const size = existsSync(part) ? statSync(part).size : 0;
    if (size !== Number(f_start)) return size;
    appendFileSync(part, blob);
    const now = statSync(part).size;
    if (now !== Number(f_size)) return now;
    rmSync(this.disk.at(`${f_path}/${f_name}`), { force: true });
    renameSync(part, this.disk.at(`${f_path}/${f_name}`));
    return done('上传成功!');
  }
}
