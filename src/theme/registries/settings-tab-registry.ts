import { Injectable } from '@nestjs/common';

import type { Undo } from '../../common/index.js';
import type { Scope, SettingsField, SettingsTabRecord } from '../../sdk/index.js';
import { afterHook, DEFAULT_ORDER, OwnedList, sortByOrder, type ApplyHook, type Owned } from './owned-list.js';
import { isSafeUrl, pageUrl, requireOrder, requirePage, requireTitle, requireUrl } from './record-rules.js';

const FIELD_KEY = /^[A-Za-z0-9_.-]{1,64}$/;
const TAB_ID = /^[A-Za-z0-9_-]{1,64}$/;
const FIELD_TYPES: readonly SettingsField['type'][] = ['text', 'textarea', 'password', 'number', 'switch', 'select'];

/** A tab as the hook `settings.admin.tabs` sees it. */
export interface SettingsTabEntry extends SettingsTabRecord {
  owner?: string;
}

/** A tab as the settings page shows it: exactly one of `fields` and `url` is filled. */
export interface SettingsTab {
  id: string;
  title: string;
  order: number;
  owner: string;
  /** Where the tab leads; empty for fields the panel draws. */
  url: string;
  /** The plugin's page the tab shows; empty for the other kinds. */
  page: string;
  fields: SettingsField[];
}

/** The plugins' tabs of the admin settings page. */
@Injectable()
export class SettingsTabRegistry {
  private readonly tabs = new OwnedList<SettingsTabRecord>();
  /** The user side's: kept until its settings page is there. */
  private readonly userTabs = new OwnedList<SettingsTabRecord>();

  /**
   * Adds a tab; one of the user side is checked and kept, and waits for a page that shows it.
   *
   * @throws Error that names the owner and the rule that was broken
   */
  add(tab: SettingsTabRecord, owner: string, scope: Scope = 'admin'): Undo {
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
    return (scope === 'admin' ? this.tabs : this.userTabs).add(structuredClone(tab), owner);
  }

  /** What is registered, in the order of registration. */
  list(): readonly Owned<SettingsTabRecord>[] {
    return [...this.tabs.list(), ...this.userTabs.list()];
  }

  /** The fields tab of a plugin by its id: the panel checks what is stored against it. */
  async find(id: string, apply?: ApplyHook<SettingsTabEntry>): Promise<SettingsTab | null> {
    return (await this.buildTabs(apply)).find((tab) => tab.id === id) ?? null;
  }

  /** The tabs after the hook ran, sorted; ids are unique: the given one, or the owner's slug with a number. */
  async buildTabs(apply?: ApplyHook<SettingsTabEntry>): Promise<SettingsTab[]> {
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

function toTab(entry: SettingsTabEntry, used: Set<string>): SettingsTab | null {
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

function checkFields(fields: SettingsField[], owner: string): void {
  if (!Array.isArray(fields) || fields.length === 0)
    throw new Error(`${owner}: the fields of a settings tab must be a list with at least one field.`);
  const keys = new Set<string>();
  for (const field of fields) {
    const key = JSON.stringify(field?.key);
    if (typeof field?.key !== 'string' || !FIELD_KEY.test(field.key))
      throw new Error(`${owner}: the key of a settings field must be 1 to 64 of A-Z a-z 0-9 _ . -, not ${key}.`);
    if (keys.has(field.key)) throw new Error(`${owner}: two settings fields have the key ${key}.`);
    keys.add(field.key);
    if (typeof field.label !== 'string' || field.label === '') throw new Error(`${owner}: the settings field ${key} needs a label.`);
    if (!FIELD_TYPES.includes(field.type))
      throw new Error(`${owner}: the type of the settings field ${key} must be one of ${FIELD_TYPES.join(', ')}.`);
    for (const name of ['hint', 'placeholder'] as const) {
      if (field[name] !== undefined && typeof field[name] !== 'string')
        throw new Error(`${owner}: the ${name} of the settings field ${key} must be a text.`);
    }
    if (field.default !== undefined && !['string', 'number', 'boolean'].includes(typeof field.default)) {
      throw new Error(`${owner}: the default of the settings field ${key} must be a text, a number or a switch's true or false.`);
    }
    if (field.type === 'select') checkOptions(field, owner);
  }
}

function checkOptions({ key, options, default: chosen }: SettingsField, owner: string): void {
  if (!Array.isArray(options) || options.length === 0) throw new Error(`${owner}: the settings field "${key}" needs options.`);
  for (const option of options) {
    if (typeof option?.value !== 'string' || typeof option.label !== 'string')
      throw new Error(`${owner}: each option of the settings field "${key}" needs a value and a label, both texts.`);
  }
  if (chosen !== undefined && !options.some(({ value }) => value === String(chosen)))
    throw new Error(`${owner}: the default of the settings field "${key}" is none of its options.`);
}
