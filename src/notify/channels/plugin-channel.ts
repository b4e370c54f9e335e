import { PluginCallError, errorMessage, errorWithout, translateFor } from '../../common/index.js';
import type { NoticeChannelField, NoticeChannelRecord, NoticeMessage } from '../../sdk/index.js';
import { checkFields } from '../../theme/index.js';
import { fieldOfPlugin } from '../../web/index.js';

import { ChannelError } from './channel-error.js';
import { pluginType, type ChannelField, type ChannelSettings, type ChannelTurn, type NotificationChannel } from './notification-channel.js';

const KIND = /^[a-z0-9][a-z0-9_-]{0,31}$/;
/** Maximum number of fields, so that all encrypted values fit their column. */
const MAX_FIELDS = 12;
/** Maximum length of a message text; longer digests are truncated. */
const MAX_TEXT = 20_000;
/** Shorter secrets are not masked, because they may occur as ordinary text. */
const MIN_SECRET = 4;

/** Wraps a plugin's callback with counting and a timeout. */
export type ChannelGuard = (place: string, callback: Callback) => Callback;
type Callback = (...args: Parameters<NoticeChannelRecord['send']>) => unknown;

/** A plugin's registration and its environment. */
export interface PluginChannelParts {
  readonly slug: string;
  readonly kind: string;
  readonly record: NoticeChannelRecord;
  readonly guard: ChannelGuard;
  /** Reports an error in the plugin's code. */
  readonly failed: (place: string, error: unknown) => void;
  /** Aborted when the plugin is disabled. */
  readonly gone: AbortSignal;
}

/** Adapts a plugin's kind of channel. @throws Error naming the plugin and the violated rule */
export function pluginChannel({ slug, kind, record, guard, failed, gone }: PluginChannelParts): NotificationChannel {
  checkRecord(slug, kind, record);
  const place = `notice channel ${kind}`;
  const fields = (record.fields ?? []).map((field) => fieldOf(slug, field));
  const secrets = fields.filter((field) => field.type === 'password').map(({ key }) => key);
  const guarded = (name: string, callback: Callback): Callback => guard(name, withoutSecrets(callback, secrets));
  const send = guarded(place, record.send);
  const test = record.test ? guarded(`test of the ${place}`, record.test) : send;
  const { title, help = '' } = record;
  return {
    type: pluginType(slug, kind),
    plugin: slug,
    kind,
    fields,
    title: (locale) => translateFor(slug, locale, title),
    help: (locale) => translateFor(slug, locale, help),
    async send(turn) {
      const ending = new AbortController();
      const end = (): void => ending.abort();
      const ends = [turn.signal, gone];
      if (ends.some(({ aborted }) => aborted)) end();
      for (const signal of ends) signal.addEventListener('abort', end);
      try {
        const context = { signal: ending.signal, locale: turn.locale };
        const answer = await (turn.isTest ? test : send)(messageOf(turn.message), { ...turn.settings }, context);
        if (answer !== undefined)
          throw new TypeError('send returned a value. It must return nothing if the message was accepted, and throw otherwise.');
      } catch (error) {
        failed(place, error);
        throw problemOf(error, turn, slug);
      } finally {
        end();
        for (const signal of ends) signal.removeEventListener('abort', end);
      }
    },
  };
}

function problemOf(error: unknown, { name }: ChannelTurn, plugin: string): ChannelError {
  if (error instanceof PluginCallError) return new ChannelError('PLUGIN_SILENT', { name, plugin });
  return ChannelError.refused(name, errorMessage(error));
}

function messageOf({ text, at, ...message }: NoticeMessage): NoticeMessage {
  return { ...message, at: new Date(at), text: text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text };
}

/** Masks secrets in thrown errors and converts any thrown value to an error. */
function withoutSecrets(callback: Callback, secrets: readonly string[]): Callback {
  return async (message, settings, context) => {
    const values = secrets.map((key) => settings[key] ?? '').filter(({ length }) => length >= MIN_SECRET);
    try {
      return await callback(message, settings, context);
    } catch (thrown) {
      throw errorWithout(values, thrown);
    }
  };
}

function fieldOf(slug: string, field: NoticeChannelField): ChannelField {
  return { ...fieldOfPlugin(slug, field), isAddress: false, isTarget: field.target ?? true };
}

function checkRecord(slug: string, kind: string, record: NoticeChannelRecord): void {
  const what = `the notice channel ${JSON.stringify(kind)}`;
  if (typeof kind !== 'string' || !KIND.test(kind))
    throw new Error(`${slug}: the kind of a notice channel must be 1 to 32 of a-z 0-9 _ -, not ${JSON.stringify(kind)}.`);
  if (typeof record !== 'object' || record === null) throw new Error(`${slug}: ${what} needs a record with title, fields and send.`);
  const { title, help, fields = [], send, test } = record;
  if (typeof title !== 'string' || title.trim() === '') throw new Error(`${slug}: ${what} needs a title.`);
  if (help !== undefined && typeof help !== 'string') throw new Error(`${slug}: the help of ${what} must be a text.`);
  if (typeof send !== 'function') throw new Error(`${slug}: send of ${what} must be a function.`);
  if (test !== undefined && typeof test !== 'function') throw new Error(`${slug}: the test of ${what} must be a function.`);
  if (!Array.isArray(fields) || fields.length > MAX_FIELDS) throw new Error(`${slug}: ${what} has a list of at most ${MAX_FIELDS} fields.`);
  if (fields.length > 0) checkFields(fields, slug);
  for (const field of fields)
    for (const flag of ['required', 'target'] as const)
      if (field[flag] !== undefined && typeof field[flag] !== 'boolean')
        throw new Error(`${slug}: ${flag} of the field ${JSON.stringify(field.key)} must be true or false.`);
}

/** Returns the required fields of a kind that are missing. */
export function lackingFields({ fields }: NotificationChannel, settings: ChannelSettings): readonly ChannelField[] {
  return fields.filter(({ key, required }) => required && (settings[key] ?? '') === '');
}
