import ipaddr from 'ipaddr.js';

/** Maximum length of a TXT string. */
const PIECE = 255;

/** Formats a TXT value for zone files, quoted and split into strings. */
export function quoted(text: string): string {
  const pieces = text.match(new RegExp(`.{1,${PIECE}}`, 'gs')) ?? [''];
  return pieces.map((piece) => `"${piece.replace(/["\\]/g, '\\$&')}"`).join(' ');
}

/** Inverse of {@link quoted}; unquoted text stays unchanged. */
export function unquoted(text: string): string {
  const pieces = [...text.matchAll(/"((?:[^"\\]|\\.)*)"/gs)];
  return text.trimStart().startsWith('"') && pieces.length > 0 ? pieces.map(([, piece]) => piece!.replace(/\\(.)/gs, '$1')).join('') : text;
}

/** Parses an MX value, `10 mail.example.com`. */
export function mailOf(value: string): { priority: number; host: string } {
  const [priority = '', host = ''] = value.trim().split(/\s+/);
  return { priority: Number(priority) || 0, host };
}

/** Parses an SRV value, `10 5 5060 sip.example.com`. */
export function serviceOf(value: string): { priority: number; weight: number; port: number; host: string } {
  const [priority, weight, port, host = ''] = value.trim().split(/\s+/);
  return { priority: Number(priority) || 0, weight: Number(weight) || 0, port: Number(port) || 0, host };
}

/** Parses a CAA value, `0 issue "letsencrypt.org"`. Source: RFC 8659, 4.1 */
export function authorityOf(text: string): { flags: number; tag: string; value: string } {
  const [, flags = '', tag = '', value = ''] = /^(\S+)\s+(\S+)\s+(.*)$/s.exec(text.trim()) ?? [];
  return { flags: Number(flags) || 0, tag: tag.toLowerCase(), value: unquoted(value) };
}

/** Converts a provider's value to the common format; `priority` if the provider has it in a separate field. */
export function plainValue(type: string, value: string, priority?: unknown): string {
  switch (type) {
    case 'TXT':
      return unquoted(value);
    case 'MX': {
      const { priority: first, host } = mailOf(
        priority === undefined || priority === null ? value : `${String(priority as number)} ${value}`,
      );
      return `${first} ${host.replace(/\.$/, '')}`;
    }
    case 'SRV': {
      const { priority: first, weight, port, host } = serviceOf(value);
      return `${first} ${weight} ${port} ${host.replace(/\.$/, '')}`;
    }
    case 'CAA': {
      const { flags, tag, value: authority } = authorityOf(value);
      return `${flags} ${tag} "${authority}"`;
    }
    default:
      return value;
  }
}

/** Formats a value for zone files, with a trailing dot after host names. */
export function dotted(type: string, value: string): string {
  return type === 'CNAME' || type === 'MX' || type === 'SRV' ? `${value}.` : value;
}

/** Whether two values of a type are equivalent, regardless of formatting. */
export function isSameValue(type: string, one: string, other: string): boolean {
  if (type === 'TXT') return unquoted(one) === unquoted(other);
  if (type === 'CAA') return plainValue(type, one) === plainValue(type, other);
  const same = (value: string): string => {
    const bare = value.trim().toLowerCase().replace(/\.$/, '').replace(/\s+/g, ' ');
    return ipaddr.isValid(bare) ? ipaddr.parse(bare).toString() : bare;
  };
  return same(one) === same(other);
}
