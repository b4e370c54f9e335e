import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';

import type { FakeDisk } from './panel-disk.js';
import type { FakeSite, PanelState } from './panel-state.js';

/** Fields of a call. */
export type Fields = Record<string, string>;
/** Answer of a call. */
export type Reply = unknown;

export const done = (msg: string): Reply => ({ status: true, msg });
export const no = (msg: unknown): Reply => ({ status: false, msg });

const DOMAIN = /^([\w\-*]{1,100}\.){1,24}[\w-]{1,24}$/;

/** Calls for sites, FTP accounts, domains, PHP and certificates of a fake server panel; texts are those of BaoTa. */
export class PanelSiteCalls {
  /** Parts AddSite fails to create, as on a server where FTP or MySQL is not running. */
  fails: { ftp?: boolean; database?: boolean } = {};

  constructor(
    private readonly state: PanelState,
    private readonly disk: FakeDisk,
  ) {}

  readonly calls: Record<string, (fields: Fields) => Reply> = {
    '/site AddSite': (fields) => this.add(fields),
    '/site DeleteSite': ({ id, webname, ftp, database, path }) => {
      const site = this.state.sites.find((row) => String(row.id) === id);
      if (!site || site.name !== webname) return no('指定站点不存在!');
      const belongs = ({ pid }: { pid: number }): boolean => pid === site.id;
      if (ftp) remove(this.state.ftps, belongs);
      if (database) remove(this.state.databases, belongs);
      remove(this.state.domains, belongs);
      remove(this.state.sites, (row) => row === site);
      this.state.serving.delete(site.id);
      if (path) rmSync(this.disk.at(site.path), { recursive: true, force: true });
      return done('站点删除成功!');
    },
    '/site SiteStop': ({ id, name }) => this.with(id, name, (site) => ((site.status = '0'), done('站点已停用'))),
    '/site SiteStart': ({ id, name }) => this.with(id, name, (site) => ((site.status = '1'), done('站点已启用'))),
    '/site SetEdate': ({ id, edate }) =>
      this.with(id, undefined, (site) => ((site.edate = edate!), done('设置成功,站点到期后将自动停止!'))),
    '/site GetPHPVersion': () => [
      { version: '00', name: '纯静态', status: true },
      ...this.state.php.map((version) => ({ version, name: `PHP-${version}`, status: true })),
      { version: 'other', name: '自定义', status: true },
    ],
    '/site GetSitePHPVersion': ({ siteName }) => this.named(siteName, (site) => ({ phpversion: this.of(site).php, tomcat: -1 })),
    '/site SetPHPVersion': ({ siteName, version }) =>
      this.named(siteName, (site) => {
        if (!this.state.php.includes(version!)) return no('指定PHP版本未安装');
        this.of(site).php = version!;
        return done(`成功切换网站[${siteName}]的PHP版本为PHP-${version}`);
      }),
    '/site AddDomain': ({ id, webname, domain }) =>
      this.with(id, webname, (site) => ({
        domains: domain!.split(',').map((given) => {
          const [name = '', port = '80'] = given.split(':');
          if (!DOMAIN.test(name)) return { name, status: false, msg: '域名格式不正确' };
          if (this.state.domains.some((row) => row.name === name && row.port === Number(port)) || this.isOfFolder(name))
            return { name, status: false, msg: `指定域名[${name}]已绑定过` };
          this.state.domains.push({ id: this.state.id(), pid: site.id, name, port: Number(port) });
          return { name, status: true, msg: '添加成功' };
        }),
      })),
    '/site DelDomain': ({ id, webname, domain, port }) =>
      this.with(id, webname, (site) => {
        const own = this.state.domains.filter(({ pid }) => pid === site.id);
        if (own.length < 2) return no('最后一个域名不能删除!');
        remove(this.state.domains, (row) => row.pid === site.id && row.name === domain && String(row.port) === port);
        return done('删除成功');
      }),
    '/site GetDirBinding': ({ id }) =>
      this.with(id, undefined, (site) => ({ binding: this.of(site).bindings, dirs: this.disk.folders(site.path) })),
    '/site AddDirBinding': ({ id, domain, dirName }) =>
      this.with(id, undefined, (site) => {
        if (!DOMAIN.test(domain!)) return no('域名格式不正确');
        if (!existsSync(this.disk.at(`${site.path}/${dirName}`))) return no('指定目录不存在!');
        if (this.state.domains.some((row) => row.name === domain) || this.isOfFolder(domain!)) return no('指定域名已绑定过!');
        this.of(site).bindings.push({ id: this.state.id(), domain: domain!, path: dirName!, port: 80 });
        return done('添加成功!');
      }),
    '/site DelDirBinding': ({ id }) => {
      for (const serving of this.state.serving.values()) remove(serving.bindings, (row) => String(row.id) === id);
      return done('删除成功!');
    },
    '/site GetIndex': ({ id }) => this.with(id, undefined, (site) => this.of(site).indexes),
    '/site SetIndex': ({ id, Index }) => this.with(id, undefined, (site) => ((this.of(site).indexes = Index!), done('设置成功'))),
    '/site GetDirUserINI': ({ id }) =>
      this.with(id, undefined, (site) => ({ userini: true, logs: true, runPath: { dirs: ['/'], runPath: this.of(site).runPath } })),
    '/site SetSiteRunPath': ({ id, runPath }) =>
      this.with(id, undefined, (site) => {
        if (!existsSync(this.disk.at(`${site.path}${runPath}`))) return no('指定目录不存在!');
        this.of(site).runPath = runPath!;
        return done('设置成功');
      }),
    '/site GetSSL': ({ siteName }) =>
      this.named(siteName, (site) => {
        const { certificate, httpTohttps } = this.of(site);
        return {
          status: certificate !== null,
          key: certificate?.key ?? false,
          csr: certificate?.csr ?? false,
          type: certificate ? 0 : -1,
          httpTohttps,
        };
      }),
    '/site SetSSL': ({ siteName, key, csr }) =>
      this.named(siteName, (site) => {
        // Error messages about certificates are arrays.
        if (!key?.includes('PRIVATE KEY') || !csr?.includes('CERTIFICATE')) return no(['证书错误', '请粘贴正确的PEM格式证书']);
        this.of(site).certificate = { key, csr };
        return done('证书已更新!');
      }),
    '/site CloseSSLConf': ({ siteName }) =>
      this.named(siteName, (site) => {
        Object.assign(this.of(site), { certificate: null, httpTohttps: false });
        return done('SSL已关闭!');
      }),
    '/site HttpToHttps': ({ siteName }) =>
      this.named(siteName, (site) => ((this.of(site).httpTohttps = true), done('设置成功!证书有效,https已经强制生效'))),
    '/site CloseToHttps': ({ siteName }) => this.named(siteName, (site) => ((this.of(site).httpTohttps = false), done('设置成功!'))),
    '/site GetSiteLogs': ({ siteName }) => done(this.disk.log(siteName!)),
    '/ftp SetStatus': ({ id, username, status }) => this.ftp(id, username, (ftp) => ((ftp.status = status!), done('操作成功'))),
    '/ftp SetUserPassword': ({ id, ftp_username, new_password }) =>
      this.ftp(id, ftp_username, (ftp) => {
        if ((new_password ?? '').length < 6) return no('密码必须大于6位');
        ftp.password = new_password!;
        return done('修改成功');
      }),
    '/ftp AddUser': ({ ftp_username, ftp_password, path }) => {
      this.state.ftps.push({ id: this.state.id(), pid: 0, name: ftp_username!, password: ftp_password!, status: '1', path: path!, ps: '' });
      return done('添加成功');
    },
    '/data setPs': ({ table, id, ps }) => {
      const rows: Record<string, { id: number; ps?: string | number }[]> = { sites: this.state.sites, ftps: this.state.ftps };
      const row = rows[table!]?.find((one) => String(one.id) === id);
      if (!row) return no('修改失败');
      row.ps = ps!.trim();
      return done('修改成功');
    },
  };

  /** Returns the web server settings of a site. */
  of({ id }: FakeSite) {
    return this.state.serving.get(id)!;
  }

  private add(fields: Fields): Reply {
    const { domain } = JSON.parse(fields.webname!) as { domain: string };
    if (!DOMAIN.test(domain)) return no('主域名格式不正确');
    if (this.state.sites.some(({ name }) => name === domain)) return no('您添加的站点已存在');
    if (this.state.domains.some(({ name }) => name === domain)) return no('您添加的域名已存在');
    if (!this.state.php.includes(fields.version!) && fields.version !== '00') return no('指定PHP版本未安装');
    const id = this.state.id();
    mkdirSync(this.disk.at(fields.path!), { recursive: true });
    for (const name of ['index.html', '404.html', '.user.ini'])
      writeFileSync(
        this.disk.at(`${fields.path}/${name}`),
        name === '.user.ini' ? `open_basedir=${fields.path}/:/tmp/` : `<h1>${domain}</h1>`,
      );
    const addtime = '2026-01-01 00:00:00';
    this.state.sites.push({
      id,
      name: domain,
      path: fields.path!,
      status: '1',
      ps: fields.ps ?? '',
      edate: '0000-00-00',
      addtime,
      type_id: 0,
    });
    this.state.domains.push({ id: this.state.id(), pid: id, name: domain, port: 80 });
    this.state.serving.set(id, {
      php: fields.version!,
      runPath: '/',
      indexes: 'index.php,index.html,index.htm,default.php,default.htm,default.html',
      certificate: null,
      httpTohttps: false,
      bindings: [],
    });
    const { ftp, database } = this.addParts(fields, id, domain);
    return {
      siteStatus: true,
      siteId: id,
      ftpStatus: ftp,
      ...(ftp ? { ftpUser: fields.ftp_username, ftpPass: fields.ftp_password } : {}),
      databaseStatus: database,
      ...(database ? { databaseUser: fields.datauser, databasePass: fields.datapassword, databaseName: fields.datauser } : {}),
      gitStatus: false,
    };
  }

  private addParts(fields: Fields, pid: number, ps: string): { ftp: boolean; database: boolean } {
    const ftp = fields.ftp === 'true' && !this.fails.ftp;
    if (ftp)
      this.state.ftps.push({
        id: this.state.id(),
        pid,
        name: fields.ftp_username!,
        password: fields.ftp_password!,
        status: '1',
        path: fields.path!,
        ps,
      });
    const wanted = fields.sql === 'true' || fields.sql === 'MySQL';
    const database = wanted && !this.fails.database && /^[^'"`\\]*$/.test(fields.datapassword!);
    // Names are truncated to the limit of old MySQL versions.
    const name = fields.datauser!.slice(0, 16);
    if (database)
      this.state.databases.push({
        id: this.state.id(),
        sid: 0,
        pid,
        name,
        username: name,
        password: fields.datapassword!,
        accept: '127.0.0.1',
        ps,
      });
    return { ftp, database };
  }

  private isOfFolder(name: string): boolean {
    return [...this.state.serving.values()].some(({ bindings }) => bindings.some(({ domain }) => domain === name));
  }

  private with(id: string | undefined, name: string | undefined, work: (site: FakeSite) => Reply): Reply {
    const site = this.state.sites.find((row) => String(row.id) === id);
    return site && (name === undefined || site.name === name) ? work(site) : no('指定站点不存在!');
  }

  private named(name: string | undefined, work: (site: FakeSite) => Reply): Reply {
    const site = this.state.sites.find((row) => row.name === name);
    return site ? work(site) : no('指定站点不存在!');
  }

  private ftp(id: string | undefined, name: string | undefined, work: (ftp: PanelState['ftps'][number]) => Reply): Reply {
    const ftp = this.state.ftps.find((row) => String(row.id) === id && row.name === name);
    return ftp ? work(ftp) : no('操作失败');
  }
}

/** Removes rows from a table. */
export function remove<T>(rows: T[], goes: (row: T) => boolean): void {
  rows.splice(0, rows.length, ...rows.filter((row) => !goes(row)));
}
