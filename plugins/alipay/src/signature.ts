type Fields = Readonly<Record<string, string>>;

/**
 * Returns the text a request's signature covers: all non-empty fields except the signature, sorted by name, values unencoded. Source:
 * https://opendocs.alipay.com/common/02kf5q
 */
export function requestText(fields: Fields): string {
  return joined(fields, (name) => name !== 'sign' && fields[name] !== '');
}

/**
 * Returns the texts a notification's signature may cover: without `sign_type`, and with or without empty values depending on the sender.
 * Source: https://opendocs.alipay.com/common/02mse7
 */
export function notificationTexts(fields: Fields): string[] {
  const isSigned = (name: string): boolean => name !== 'sign' && name !== 'sign_type';
  return [joined(fields, (name) => isSigned(name) && fields[name] !== ''), joined(fields, isSigned)];
}

/** Returns the signed part of an answer exactly as received; null for none. */
export function signedPart(body: string, node: string): string | null {
  const name = `"${node}":`;
  const start = body.indexOf(name);
  if (start < 0) return null;
  const from = start + name.length + /^\s*/.exec(body.slice(start + name.length))![0].length;
  if (body[from] !== '{') return null;
  let depth = 0;
  let isText = false;
  for (let at = from; at < body.length; at += 1) {
    const character = body[at];
    if (isText) {
      if (character === '\\') at += 1;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === '{') depth += 1;
    else if (character === '}' && (depth -= 1) === 0) return body.slice(from, at + 1);
  }
  return null;
}

function joined(fields: Fields, isPart: (name: string) => boolean): string {
  return Object.keys(fields)
    .filter(isPart)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&');
}
