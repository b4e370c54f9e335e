import { Injectable, Optional } from '@nestjs/common';

import { Faults, isRefusedCall, loggerFor, runInFrame, translate, type Undo } from '../../common/index.js';
import type { Locale } from '../../common/index.js';
import type { CallContext, Scope, WidgetRecord } from '../../sdk/index.js';
import { trustedHtml, type TrustedHtml } from '../trusted-html.js';
import { afterHook, OwnedList, sortByOrder, type ApplyHook, type Owned } from './owned-list.js';
import { requireScope } from './record-rules.js';

const AREA_NAME = /^[a-z0-9_.-]{1,64}$/;
const DEFAULT_WIDTH = 6;

/** Areas of a dashboard: above everything else, and among the panel's own cards. */
export const WIDGET_AREAS = ['top', 'main'] as const;

/** One of {@link WIDGET_AREAS}. */
export type WidgetArea = (typeof WIDGET_AREAS)[number];

const log = loggerFor('theme');

/** Creates a widget for a request: its HTML, a whole record, or nothing. */
export type WidgetCallback = (
  ctx: CallContext,
) => string | WidgetRecord | null | undefined | void | Promise<string | WidgetRecord | null | undefined | void>;

/** A registered widget. */
export interface WidgetRegistration {
  scope: Scope;
  /** One of {@link WIDGET_AREAS}; another name of the form `[a-z0-9_.-]{1,64}` is treated as `main`. */
  area: string;
  callback: WidgetCallback;
}

/** A widget as passed to the hook `dashboard.*.widgets`. */
export interface WidgetEntry extends WidgetRecord {
  owner?: string;
}

/** A widget as rendered. */
export interface Widget {
  title: string;
  html: TrustedHtml;
  /** Width in columns, of twelve. */
  width: number;
  area: WidgetArea;
  owner: string;
}

/** Options of {@link WidgetRegistry.buildWidgets}. */
export interface WidgetOptions {
  call: CallContext;
  locale: Locale;
  /** Runs the hook `dashboard.admin.widgets` or `dashboard.user.widgets` over the list. */
  apply?: ApplyHook<WidgetEntry>;
}

/** The plugins' cards on the dashboards. */
@Injectable()
export class WidgetRegistry {
  private readonly widgets = new OwnedList<WidgetRegistration>();

  constructor(@Optional() private readonly faults: Faults = new Faults()) {}

  /**
   * Adds a widget.
   *
   * @throws Error naming the owner and the violated rule
   */
  add(record: WidgetRegistration, owner: string): Undo {
    requireScope(record?.scope, owner);
    if (typeof record.area !== 'string' || !AREA_NAME.test(record.area)) {
      throw new Error(`${owner}: the area of a widget must be 1 to 64 of a-z 0-9 _ . -, not ${JSON.stringify(record.area)}.`);
    }
    if (typeof record.callback !== 'function') throw new Error(`${owner}: a widget needs a function that returns its content.`);
    return this.widgets.add({ ...record }, owner);
  }

  /** Returns the registered widgets in the order of registration. */
  list(): readonly Owned<WidgetRegistration>[] {
    return this.widgets.list();
  }

  /**
   * Builds the widgets of an area, or of every area (null), in parallel. One that throws or misses its deadline is logged with
   * its owner and replaced by a short notice.
   */
  async buildWidgets(scope: Scope, area: string | null, { call, locale, apply }: WidgetOptions): Promise<Widget[]> {
    const own = this.widgets.list().filter(({ record }) => record.scope === scope && (area === null || record.area === area));
    const made = await Promise.all(own.map(({ owner, record }) => this.make(owner, record, call, locale)));
    const entries = await afterHook(
      made.filter((entry) => entry !== null),
      apply,
    );
    return sortByOrder(entries)
      .filter((entry) => typeof entry.html === 'string')
      .map((entry) => ({
        title: typeof entry.title === 'string' ? entry.title : '',
        html: trustedHtml(entry.html),
        area: entry.area === 'top' ? ('top' as const) : ('main' as const),
        width: Number.isInteger(entry.width) && entry.width! >= 1 && entry.width! <= 12 ? entry.width! : DEFAULT_WIDTH,
        owner: typeof entry.owner === 'string' ? entry.owner : '',
      }));
  }

  private async make(
    owner: string,
    { callback, scope, area }: WidgetRegistration,
    call: CallContext,
    locale: Locale,
  ): Promise<WidgetEntry | null> {
    try {
      const result = await runInFrame({ owner, call }, () => callback(call));
      if (typeof result === 'string') return result === '' ? null : { owner, area, html: result };
      return result && typeof result.html === 'string' ? { area, ...result, owner } : null;
    } catch (error) {
      if (!isRefusedCall(error)) log.error({ err: error, plugin: owner, scope, area }, 'widget failed');
      this.faults.note(owner, `widget ${scope}/${area}`, error);
      return { owner, area, title: owner, html: `<p class="text-secondary mb-0">${translate(locale, 'theme.widget_failed')}</p>` };
    }
  }
}
