import { Controller } from '@nestjs/common';

import { AppError } from '../../common/index.js';
import type { RequestContext } from '../../operations/index.js';
import { Page, PageMissing, PageRedirect } from '../../web/index.js';
import { HostingError } from '../hosting-errors.js';
import { sayOfServer } from '../server-access.js';
import { type OpenSite, SiteAccess } from '../site-tools/index.js';

import { TRASH_DAYS } from './file-maintenance.js';
import { filesOf, filesPath, trashOf } from './file-list.pages.js';
import { folderAndName } from './file-names.js';
import { SiteFiles } from './site-files.js';

const MB = 1_048_576;

/** File pages of a site, for its owner and for administrators. */
@Controller()
export class FilePages {
  constructor(
    private readonly sites: SiteAccess,
    private readonly files: SiteFiles,
  ) {}

  @Page({
    side: 'user',
    path: 'files',
    title: 'sitefiles.menu.files',
    menu: { icon: 'mdi-folder-outline', order: 12 },
    lists: [filesOf('user')],
  })
  ownFiles(call: RequestContext): Promise<object> {
    return this.folder(call);
  }

  @Page({ side: 'admin', path: 'files', title: 'sitefiles.menu.files', lists: [filesOf('admin')] })
  filesOfHost(call: RequestContext): Promise<object> {
    return this.folder(call);
  }

  @Page({ side: 'user', path: 'files-trash', title: 'sitefiles.menu.files', lists: [trashOf('user')] })
  ownTrash(call: RequestContext): Promise<object> {
    return this.trash(call);
  }

  @Page({ side: 'admin', path: 'files-trash', title: 'sitefiles.menu.files', lists: [trashOf('admin')] })
  trashOfHost(call: RequestContext): Promise<object> {
    return this.trash(call);
  }

  @Page({ side: 'user', path: 'file-edit', title: 'sitefiles.menu.files' })
  ownFile(call: RequestContext): Promise<object> {
    return this.edited(call);
  }

  @Page({ side: 'admin', path: 'file-edit', title: 'sitefiles.menu.files', needs: ['hqwj'] })
  fileOfHost(call: RequestContext): Promise<object> {
    return this.edited(call);
  }

  private async folder(call: RequestContext): Promise<object> {
    const site = await this.siteOf(call);
    const { webQuotaMb, webUsedBytes } = site.account;
    const path = cleaned(call.query.path ?? '/');
    const base = this.base(call, site);
    return {
      ...base,
      able: site.has('files'),
      path,
      crumbs: crumbsOf(path).map(({ name, at }) => ({ name, href: filesPath(sideOf(call), 'files', at, base.host_id) })),
      trash: filesPath(sideOf(call), 'files-trash', path, base.host_id),
      used: Math.ceil(webUsedBytes / MB),
      limit: webQuotaMb,
    };
  }

  private async trash(call: RequestContext): Promise<object> {
    const base = this.base(call, await this.siteOf(call));
    return { ...base, days: TRASH_DAYS, back: filesPath(sideOf(call), 'files', cleaned(call.query.path ?? '/'), base.host_id) };
  }

  private async edited(call: RequestContext): Promise<object> {
    const site = await this.siteOf(call);
    const path = call.query.path ?? '';
    const { folder, name } = folderAndName(path);
    const base = this.base(call, site);
    const shown = { ...base, path, name, back: filesPath(sideOf(call), 'files', folder, base.host_id) };
    try {
      const { text, version } = await this.files.text(site, path);
      return { ...shown, text, row_version: version, problem: '' };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { ...shown, text: '', row_version: '', problem: sayOfServer(call, error.told) };
    }
  }

  private base(call: RequestContext, { account }: OpenSite): { host_id: string; host_user: string } {
    return sideOf(call) === 'admin' ? { host_id: String(account.id), host_user: account.username } : { host_id: '', host_user: '' };
  }

  private async siteOf(call: RequestContext): Promise<OpenSite> {
    try {
      return await this.sites.of({ id: Number(call.query.id) || 0 }, call, 'read');
    } catch (error) {
      if (!(error instanceof HostingError)) throw error;
      if (sideOf(call) === 'admin') throw new PageRedirect('/admin/hosts');
      throw new PageMissing();
    }
  }
}

const sideOf = (call: RequestContext): 'admin' | 'user' => (call.scope === 'admin' ? 'admin' : 'user');

function cleaned(path: string): string {
  return `/${path.split('/').filter(Boolean).join('/')}`;
}

/** Returns each folder on the way to a path, with its own path. */
function crumbsOf(path: string): { name: string; at: string }[] {
  const parts = path.split('/').filter(Boolean);
  return parts.map((name, index) => ({ name, at: `/${parts.slice(0, index + 1).join('/')}` }));
}
