import { readFileSync, realpathSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, sep } from 'node:path';

import { Injectable } from '@nestjs/common';

import { accessOf } from '../auth/index.js';
import { Faults, PluginCallError, runInFrame, translate, translateFor } from '../common/index.js';
import { AuthFailure, OperationError, sendAuthFailure, type RequestContext } from '../operations/index.js';
import { PluginReconciler } from '../plugin-registry/index.js';
import { escapeHtml, type Scope } from '../sdk/index.js';
import { ThemeRenderer, pageUrl, trustedHtml, type Owned } from '../theme/index.js';
import { Lists, PageAccess, PageAnswers, PageMissing, PageRegistry, PageSender } from '../web/index.js';
import type { PageAnswer, PageDeclaration } from '../web/index.js';

/** Serves pages of plugins inside the frame of their side. */
@Injectable()
export class PluginPages {
  constructor(
    private readonly registry: PageRegistry,
    private readonly plugins: PluginReconciler,
    private readonly themes: ThemeRenderer,
    private readonly pages: PageSender,
    private readonly answers: PageAnswers,
    private readonly lists: Lists,
    private readonly faults: Faults,
    private readonly access: PageAccess,
  ) {}

  /** Serves `plugin.php?p={slug}&page={page}` to a signed-in account of that side. */
  async send(res: ServerResponse, call: RequestContext, scope: Scope): Promise<void> {
    const slug = call.query.p ?? '';
    const page = this.plugins.isActive(slug) ? this.registry.at(pageUrl(scope, slug, call.query.page ?? 'index')) : null;
    if (!page) {
      await this.pages.sendError(res, call, scope, 404, 'web.plugin_page_missing', 'web.plugin_page_missing_text', {
        slug: slug.slice(0, 64),
      });
      return;
    }
    if (scope === 'admin' && !this.access.allows(accessOf(call.admin), page.record)) throw new OperationError('NOT_ALLOWED');
    let answer: PageAnswer;
    let data: object;
    try {
      answer = await this.answers.make(page, call, {
        method: async () => {
          data = await dataOf(page.record, call);
          return {};
        },
        content: async (lists) => ({
          title: translateFor(slug, call.locale, page.record.title),
          content: trustedHtml(await this.contentOf(page, call, { ...data, lists })),
        }),
      });
    } catch (error) {
      if (error instanceof PageMissing) {
        await this.pages.sendMissing(res, call, scope);
        return;
      }
      if (error instanceof AuthFailure) {
        sendAuthFailure(res, error.policy, call);
        return;
      }
      this.faults.report(slug, `page ${page.record.name}`, error);
      if (error instanceof PluginCallError) throw error;
      await this.pages.sendError(res, call, scope, 500, 'web.plugin_page_failed', 'web.plugin_page_failed_text', { slug });
      return;
    }
    await this.answers.send(res, call, page.record, answer);
  }

  /**
   * Renders a page inside another admin page, such as a settings tab; a failure is replaced by a notice.
   *
   * @throws PageMissing if it says that nothing exists at this URL
   */
  async embed(page: Owned<PageDeclaration>, call: RequestContext): Promise<string> {
    const { owner, record } = page;
    try {
      return await runInFrame({ owner, call }, async () => {
        const data = await dataOf(record, call);
        return this.contentOf(page, call, { ...data, lists: await this.lists.buildAll(record.lists ?? [], record.side, call) });
      });
    } catch (error) {
      if (error instanceof PageMissing) throw error;
      this.faults.report(owner, `page ${record.name}`, error);
      return `<p class="text-secondary mb-0">${escapeHtml(translate(call.locale, 'web.plugin_page_failed_text', { slug: owner }))}</p>`;
    }
  }

  /**
   * Returns the HTML of a page: the result of its function, or its file.
   *
   * @param seen further variables of the file
   * @throws PageMissing if the function returns null
   */
  private async contentOf({ owner, record }: Owned<PageDeclaration>, call: RequestContext, seen: object): Promise<string> {
    const { content, name, side } = record;
    if (typeof content === 'function') {
      const result = await content(call);
      if (result === null) throw new PageMissing();
      return typeof result === 'string' ? result : '';
    }
    const source = readFileSync(this.insideFolder(content!, owner), 'utf8');
    if (extname(content!) === '.html') return source;
    const account = { username: (call.admin ?? call.user)?.username ?? '' };
    const vars = { ...seen, plugin: owner, page: name, query: { ...call.query }, account };
    return this.themes.renderSource(side, source, vars, { locale: call.locale, nonce: call.nonce, call });
  }

  /** Checked on every read: a symbolic link may have been created since the page was registered. */
  private insideFolder(file: string, slug: string): string {
    const folder = realpathSync(this.plugins.activePackage(slug)!.folder);
    const path = realpathSync(file);
    if (!path.startsWith(folder + sep)) throw new Error(`The page file of "${slug}" is outside its folder.`);
    return path;
  }
}

/** Returns the plugin's own variables of a page file. @throws PageMissing for null, Error if it is no object */
async function dataOf({ data, name }: PageDeclaration, call: RequestContext): Promise<object> {
  if (!data) return {};
  const made: unknown = await data(call);
  if (made === null) throw new PageMissing();
  if (typeof made === 'object' && !Array.isArray(made)) return made;
  throw new Error(`The data of the page "${name}" must be an object, or null if the page does not exist.`);
}
