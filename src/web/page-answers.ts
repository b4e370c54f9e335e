import type { ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';

import { runInFrame } from '../common/index.js';
import { sendRouteResult, type RequestContext } from '../operations/index.js';
import type { HttpReply } from '../sdk/index.js';
import type { Owned } from '../theme/index.js';

import { fileIn, ListFile, Lists, type ListView } from './lists/index.js';
import { PAGE_PATIENCE_MS, type PageDeclaration } from './page-declaration.js';
import { PageSender } from './page-sender.js';

/** Sources of the variables of a page's view, besides its lists. */
export interface PageParts {
  /** For a feature: the result of its method, which throws if nothing exists at this URL. Called first. */
  readonly method?: () => Promise<object>;
  /** For a plugin: the content, created with the lists. */
  readonly content?: (lists: Readonly<Record<string, ListView>>) => Promise<object>;
}

/** Result of a page: variables for its view, or one of its lists as a file. */
export type PageAnswer = { readonly vars: Record<string, unknown> } | { readonly file: HttpReply };

/** Handles page requests of features and plugins: `?export=`, the time limit, lists, and the view. */
@Injectable()
export class PageAnswers {
  constructor(
    private readonly pages: PageSender,
    private readonly lists: Lists,
    private readonly files: ListFile,
  ) {}

  /** Builds a page in the name of its owner, which determines its texts and is blamed for errors. */
  make({ owner, record }: Owned<PageDeclaration>, call: RequestContext, { method, content }: PageParts): Promise<PageAnswer> {
    const { side, lists = [] } = record;
    return runInFrame({ owner, call }, async () => {
      const wanted = lists.find(({ id }) => id === call.query.export);
      // A file may take longer.
      if (!wanted) call.showWithin(PAGE_PATIENCE_MS);
      const vars = await method?.();
      if (wanted) return { file: await this.files.reply(wanted, side, call) };
      const file = vars && fileIn(vars);
      if (file) return { file };
      const built = await this.lists.buildAll(lists, side, call);
      return { vars: { ...vars, lists: built, ...(await content?.(built)) } };
    });
  }

  /** Sends it in the page's view, by default named after the last part of its path. */
  async send(res: ServerResponse, call: RequestContext, page: PageDeclaration, answer: PageAnswer): Promise<void> {
    const { side, path, view = path.slice(path.lastIndexOf('/') + 1), plain, formTargets } = page;
    if ('file' in answer) return sendRouteResult(res, answer.file, call);
    await this.pages.send(res, call, side, view, answer.vars, { plain, formTargets });
  }
}
