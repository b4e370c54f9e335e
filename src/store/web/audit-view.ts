import { translate, type Locale } from '../../common/index.js';
import type { Piece } from '../../web/index.js';

import { typePiece } from './lists/index.js';

/** A log entry as returned by the API. */
interface Entry {
  readonly id: number;
  readonly created_at: string;
  readonly actor_name: string;
  readonly action: string;
  readonly ip: string;
  readonly subject: string;
  readonly item: { readonly id: number; readonly type: string; readonly name: string; readonly exists: boolean } | null;
  readonly user: { readonly username: string } | null;
  readonly detail: object;
}

type Words = (value: unknown, entry: Entry, say: (key: string) => string) => Piece[];

const text = (value: unknown): Piece => ({ kind: 'text', text: String(value) });
const code = (value: unknown): Piece => ({ kind: 'code', text: String(value) });

/** Link to an account in the account list; accounts have no page of their own. */
const accountPiece = (name: string): Piece => ({
  kind: 'link',
  text: name,
  href: `/store/review/users?${String(new URLSearchParams({ keyword: name }))}`,
});

/** Formats one value, or old and new value. @param kind prefix of the text keys, such as `status.` */
const change =
  (kind: string): Words =>
  (value, _entry, say) => [text([...new Set([value].flat())].map((one) => say(`${kind}${String(one)}`)).join(' → '))];
const changed: Words = (_value, _entry, say) => [text(say('audit.changed'))];
const asText: Words = (value) => [text(value)];
const codes: Words = (value) => [value].flat().map(code);
/** Already shown in the subject column. */
const notShown = null;

/** How each detail field is shown: label key and formatted value. */
const PARTS: Readonly<Record<string, readonly [label: string, words: Words] | null>> = {
  field: ['audit.field', (value, _entry, say) => [text(say(`field.${String(value)}`))]],
  version: ['field.version', asText],
  from: ['audit.before', (value, entry, say) => (entry.subject === 'key' ? [code(value)] : change('status.')(value, entry, say))],
  status: ['common.status', change('status.')],
  role: ['account.role', change('role.')],
  trusted: ['users.trusted', change('trusted.')],
  email: ['account.email', changed],
  avatar: ['account.avatar', changed],
  bio: ['account.bio', changed],
  slug: ['field.slug', codes],
  author_id: ['item.author', (_value, { user }) => (user ? [accountPiece(user.username)] : [])],
  reason: ['report.reason', (value, { subject }, say) => [text(subject === 'report' ? say(`reason.${String(value)}`) : value)]],
  blocked: ['audit.blocked', codes],
  failures: ['audit.failures', asText],
  packages: ['audit.packages', asText],
  tokens_ended: ['audit.tokens_ended', (value) => (value === 0 ? [] : [text(value)])],
  scopes: [
    'audit.scopes',
    (value, _entry, say) => [
      text(
        [value]
          .flat()
          .map((scope) => say(`scope.${String(scope)}`))
          .join(', '),
      ),
    ],
  ],
  file: ['audit.file', (value) => [{ kind: 'link', text: String(value), href: `/uploads/images/${encodeURIComponent(String(value))}` }]],
  findings: ['audit.findings', codes],
  msg: ['audit.note', asText],
  type: notShown,
  name: notShown,
  item_id: notShown,
  sha256: notShown,
  token: notShown,
  to: notShown,
};

/** The subject of a log entry. */
function subjectOf({ subject, item, user, detail }: Entry, say: (key: string, params?: { name: string }) => string): Piece {
  const values = detail as Readonly<Record<string, unknown>>;
  if (subject === 'digest') return code(values.sha256 ?? '');
  if (subject === 'key') return code(values.to ?? '');
  if (subject === 'token') return text(values.token ?? '');
  if (subject === 'user') return user ? accountPiece(user.username) : text(say('audit.gone'));
  if (!item) return text(say('audit.gone'));
  if (!item.exists) return text(say('audit.deleted', { name: item.name }));
  return { kind: 'link', text: item.name, href: `/store/review/items/${item.id}` };
}

/** View data of a log entry. */
export function auditView(entry: Entry, locale: Locale): Readonly<Record<string, unknown>> {
  const say = (key: string, params = {}): string => translate(locale, `storePages.${key}`, params);
  const values = entry.detail as Readonly<Record<string, unknown>>;
  const details = Object.entries(PARTS).flatMap(([name, part]) => {
    const value = values[name];
    const pieces = part && value !== undefined && value !== null && value !== '' ? part[1](value, entry, say) : [];
    return pieces.length > 0 ? [{ label: say(part![0]), pieces }] : [];
  });
  const type = ['digest', 'key', 'token', 'user'].includes(entry.subject) ? null : (entry.item?.type ?? null);
  const actor = entry.actor_name ? accountPiece(entry.actor_name) : text(say('audit.visitor'));
  return {
    id: entry.id,
    created_at: entry.created_at,
    who: [actor],
    done: say(`action.${entry.action}`),
    about: [...(type ? [typePiece(locale, type)] : []), subjectOf(entry, say)],
    details,
    ip: entry.ip,
  };
}
