import { readFileSync, realpathSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, sep } from 'node:path';

import { Injectable } from '@nestjs/common';

import { accessOf } from '../auth/index.js';
import { Faults, PluginCallError, runInFrame, translate, translateFor } from '../common/index.js';
import { AuthFailure, OperationError, Permissions, sendAuthFailure, sendRouteResult, type RequestContext } from '../operations/index.js';
import { PluginReconciler } from '../plugin-registry/index.js';
import { escapeHtml, type Scope } from '../sdk/index.js';
import { PageRegistry, ThemeRenderer, trustedHtml, type PageRecord } from '../theme/index.js';
import { ListFile, Lists, PAGE_PATIENCE_MS, PageSender } from '../web/index.js';

/** Pages of plugins inside the frame of their side. */
@Injectable()
export class PluginPages {
  constructor(
    private readonly registry: PageRegistry,
    private readonly plugins: PluginReconciler,
    private readonly themes: ThemeRenderer,
    private readonly pages: PageSender,
    private readonly lists: Lists,
    private readonly files: ListFile,
    private readonly faults: Faults,
    private readonly permissions: Permissions,
  ) {}

  /** Serves `plugin.php?p={slug}&page={page}` to somebody who is signed in on that side. */
  async send(res: ServerResponse, call: RequestContext, scope: Scope): Promise<void> {
    const slug = call.query.p ?? '';
    const record = this.plugins.isActive(slug) ? this.registry.find(scope, slug, call.query.page ?? 'index') : null;
    if (!record) {
      await this.pages.sendError(res, call, scope, 404, 'web.plugin_page_missing', 'web.plugin_page_missing_text', {
        slug: slug.slice(0, 64),
      });
      return;
    }
    if (scope === 'admin' && !this.permissions.mayUsePlugin(accessOf(call.admin), slug)) throw new OperationError('NOT_ALLOWED');
    let content: string;
    try {
      const file = record.lists?.find(({ id }) => id === call.query.export);
      if (file) return await sendRouteResult(res, await this.inPlugin(slug, call, () => this.files.reply(file, scope, call)), call);
      call.showWithin(PAGE_PATIENCE_MS);
      content = await this.contentOf(record, slug, call);
    } catch (error) {
      if (error instanceof AuthFailure) {
        sendAuthFailure(res, error.policy, call);
        return;
      }
      this.faults.report(slug, `page ${record.page}`, error);
      if (error instanceof PluginCallError) throw error;
      await this.pages.sendError(res, call, scope, 500, 'web.plugin_page_failed', 'web.plugin_page_failed_text', { slug });
      return;
    }
    await this.pages.send(res, call, scope, 'plugin', {
      title: translateFor(slug, call.locale, record.title),
      content: trustedHtml(content),
    });
  }

  /** A page inside another one of the admin's, such as a settings tab: where it fails stands a notice. */
  async embed(record: PageRecord, slug: string, call: RequestContext): Promise<string> {
    try {
      return await this.contentOf(record, slug, call);
    } catch (error) {
      this.faults.report(slug, `page ${record.page}`, error);
      return `<p class="text-secondary mb-0">${escapeHtml(translate(call.locale, 'web.plugin_page_failed_text', { slug }))}</p>`;
    }
  }

  /** The HTML of a page: what its function returns, or its file. */
  private async contentOf(record: PageRecord, slug: string, call: RequestContext): Promise<string> {
    if (typeof record.file === 'function') {
      const { file } = record;
      const result = await this.inPlugin(slug, call, () => file(call));
      return typeof result === 'string' ? result : '';
    }
    const source = readFileSync(this.insideFolder(record.file, slug), 'utf8');
    if (extname(record.file) === '.html') return source;
    const vars = {
      plugin: slug,
      page: record.page,
      query: { ...call.query },
      account: { username: (call.admin ?? call.user)?.username ?? '' },
      lists: await this.inPlugin(slug, call, () => this.lists.buildAll(record.lists ?? [], record.scope, call)),
    };
    return this.inPlugin(slug, call, () =>
      this.themes.renderSource(record.scope, source, vars, { locale: call.locale, nonce: call.nonce, call }),
    );
  }

  /** Runs what belongs to a plugin's page in its name: its texts are found, and what fails is its fault. */
  private inPlugin<T>(slug: string, call: RequestContext, work: () => T): T {
    return runInFrame({ owner: slug, call }, work);
  }

  /** Checked on every read: a link may have been put into the folder since the page was registered. */
  private insideFolder(file: string, slug: string): string {
    const folder = realpathSync(this.plugins.activePackage(slug)!.folder);
    const path = realpathSync(file);
    if (!path.startsWith(folder + sep)) throw new Error(`The page file of "${slug}" lies outside its folder.`);
    return path;
  }
}
