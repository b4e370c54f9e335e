import { Injectable } from '@nestjs/common';

import type { Undo } from '../../common/index.js';
import type { SettingsField, SettingsTabRecord } from '../../sdk/index.js';
import { afterHook, DEFAULT_ORDER, OwnedList, sortByOrder, type ApplyHook, type Owned } from './owned-list.js';
import { isSafeUrl, pageUrl, requireOrder, requirePage, requireTitle, requireUrl } from './record-rules.js';
import { checkFields } from './settings-fields.js';

const TAB_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** A tab as passed to the hook `settings.admin.tabs`. */
export interface SettingsTabEntry extends SettingsTabRecord {
  owner?: string;
}

/** A tab as rendered on the settings page: exactly one of `fields` and `url` is set. */
export interface ShownTab {
  id: string;
  title: string;
  order: number;
  owner: string;
  /** Target of the tab; empty if the panel renders its fields. */
  url: string;
  /** The plugin's page shown in the tab; empty for the other kinds. */
  page: string;
  fields: SettingsField[];
}

/** The plugins' tabs of the admin settings page. */
@Injectable()
export class SettingsTabRegistry {
  private readonly tabs = new OwnedList<SettingsTabRecord>();

  /** Adds a tab. @throws Error naming the owner and the violated rule */
  add(tab: SettingsTabRecord, owner: string): Undo {
    const what = 'a settings tab';
    requireTitle(tab?.title, what, owner);
    requireOrder(tab.order, what, owner);
    requirePage(tab.page, what, owner);
    requireUrl(tab.url, what, owner);
    if (tab.id !== undefined && !TAB_ID.test(String(tab.id)))
      throw new Error(`${owner}: the id of a settings tab must be 1 to 64 of A-Z a-z 0-9 _ -.`);
    if ([tab.page, tab.url, tab.fields].filter((kind) => kind !== undefined).length !== 1) {
      throw new Error(`${owner}: the settings tab "${tab.title}" needs exactly one of page, url and fields.`);
    }
    if (tab.fields !== undefined) checkFields(tab.fields, owner);
    return this.tabs.add(structuredClone(tab), owner);
  }

  /** Returns the registered tabs in the order of registration. */
  list(): readonly Owned<SettingsTabRecord>[] {
    return this.tabs.list();
  }

  /** Returns the tabs after the hook ran, sorted. Ids are unique: the given one, or the owner's slug with a number. */
  async buildTabs(apply?: ApplyHook<SettingsTabEntry>): Promise<ShownTab[]> {
    const entries = this.tabs.list().map(({ owner, record }): SettingsTabEntry => {
      const copy = structuredClone(record);
      return {
        ...copy,
        owner,
        order: copy.order ?? DEFAULT_ORDER,
        ...(copy.page === undefined ? {} : { url: pageUrl('admin', owner, copy.page) }),
      };
    });
    const used = new Set<string>();
    return sortByOrder(await afterHook(entries, apply)).flatMap((entry) => toTab(entry, used) ?? []);
  }
}

function toTab(entry: SettingsTabEntry, used: Set<string>): ShownTab | null {
  const fields = Array.isArray(entry.fields) ? entry.fields : [];
  const url = isSafeUrl(entry.url) ? entry.url : '';
  if (typeof entry.title !== 'string' || entry.title === '' || (url === '' && fields.length === 0)) return null;
  const owner = typeof entry.owner === 'string' ? entry.owner : '';
  const wanted = typeof entry.id === 'string' && TAB_ID.test(entry.id) ? entry.id : owner || 'tab';
  let id = wanted;
  for (let number = 2; used.has(id); number += 1) id = `${wanted}-${number}`;
  used.add(id);
  return {
    id,
    title: entry.title,
    order: entry.order ?? DEFAULT_ORDER,
    owner,
    url,
    page: typeof entry.page === 'string' ? entry.page : '',
    fields,
  };
}
