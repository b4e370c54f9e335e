import { Injectable } from '@nestjs/common';

import { legacyTime, localeOf } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { tellFailure } from '../../jobs/index.js';
import { ListInput, ListReply, Operation } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { PackageWork } from '../package-work.js';
import { StoreSearchInput } from '../plugin-store.inputs.js';
import { MAX_ROWS, wireItem } from '../store-answers.js';
import { StoreClient } from '../store-client.js';
import { ThemeShelf } from './theme-shelf.js';

/** A past or current action on a theme, as sent in the response; all values are text. */
interface HistoryLine {
  id: string;
  name: string;
  /** Empty for a ZIP, whose version is only known after the check. */
  version: string;
  /** `store`, `upload` or `back`. */
  lx: string;
  /** `waiting`, `running`, `done`, `failed` or `cancelled`. */
  zt: string;
  /** Failure reason. */
  cw: string;
  czuser: string;
  date: string;
}

/** Store search and action history of themes for administrators. Source: docs/panel-api.md "Themes". */
@Injectable()
export class ThemeStoreOperations {
  constructor(
    private readonly client: StoreClient,
    private readonly shelf: ThemeShelf,
    private readonly work: PackageWork,
    private readonly config: AppConfig,
  ) {}

  @Operation({ side: 'admin', gn: 'theme_store', auth: 'admin', input: StoreSearchInput, audit: null, rate: 'read' })
  async search({ q, category, order, page, limit }: StoreSearchInput): Promise<ListReply> {
    const wanted = { keyword: q, category, sort: order, page, pageSize: Math.min(limit, MAX_ROWS) };
    const { items, total } = await this.client.search(wanted, 'theme');
    return new ListReply(
      total,
      items.map((item) => wireItem(this.shelf.shown(item))),
    );
  }

  /** Installations, upgrades and rollbacks, newest first, as long as finished tasks are kept. */
  @Operation({ side: 'admin', gn: 'theme_history', auth: 'admin', input: ListInput, audit: null, rate: 'read' })
  async history({ page, limit }: ListInput, ctx: CallContext): Promise<ListReply<HistoryLine>> {
    const { total, actions } = await this.work.history('theme', { page, limit: Math.min(limit, MAX_ROWS) });
    const locale = localeOf(ctx.locale);
    return new ListReply(
      total,
      actions.map(({ action, task }) => ({
        id: task.id,
        name: action.slug,
        version: action.kind === 'upload' ? '' : action.version,
        lx: action.kind,
        zt: task.state,
        cw: task.state === 'failed' && task.error ? tellFailure(locale, task.error) : '',
        czuser: task.by ?? '',
        date: legacyTime(task.addedAt, this.config.timezone),
      })),
    );
  }
}
