import ipaddr from 'ipaddr.js';

/** Longest piece of a text at the DNS. */
const PIECE = 255;

/** A text as zone files have it: in quotes, in pieces. */
export function quoted(text: string): string {
  const pieces = text.match(new RegExp(`.{1,${PIECE}}`, 'gs')) ?? [''];
  return pieces.map((piece) => `"${piece.replace(/["\\]/g, '\\$&')}"`).join(' ');
}

/** {@link quoted} read back; what has no quotes stays. */
export function unquoted(text: string): string {
  const pieces = [...text.matchAll(/"((?:[^"\\]|\\.)*)"/gs)];
  return text.trimStart().startsWith('"') && pieces.length > 0 ? pieces.map(([, piece]) => piece!.replace(/\\(.)/gs, '$1')).join('') : text;
}

/** Priority and host of a mail server, `10 mail.example.com`. */
export function mailOf(value: string): { priority: number; host: string } {
  const [priority = '', host = ''] = value.trim().split(/\s+/);
  return { priority: Number(priority) || 0, host };
}

/** A value as all drivers say it, of what a provider has; `priority` where that stands by itself. */
export function plainValue(type: string, value: string, priority?: unknown): string {
  if (type === 'TXT') return unquoted(value);
  if (type !== 'MX') return value;
  const whole = priority === undefined || priority === null ? value : `${String(priority as number)} ${value}`;
  const { priority: first, host } = mailOf(whole);
  return `${first} ${host.replace(/\.$/, '')}`;
}

/** Whether two values of a type mean the same, whatever a provider makes of them. */
export function isSameValue(type: string, one: string, other: string): boolean {
  if (type === 'TXT') return unquoted(one) === unquoted(other);
  const same = (value: string): string => {
    const bare = value.trim().toLowerCase().replace(/\.$/, '').replace(/\s+/g, ' ');
    return ipaddr.isValid(bare) ? ipaddr.parse(bare).toString() : bare;
  };
  return same(one) === same(other);
}
