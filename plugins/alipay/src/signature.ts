type Fields = Readonly<Record<string, string>>;

/**
 * The text of a request's signature: every field that is not empty but the signature, by name, values as they are. Source:
 * https://opendocs.alipay.com/common/02kf5q
 */
export function requestText(fields: Fields): string {
  return joined(fields, (name) => name !== 'sign' && fields[name] !== '');
}

/**
 * Texts a notification's signature may be over: its `sign_type` is not part of it, and empty values are for some senders. Source:
 * https://opendocs.alipay.com/common/02mse7
 */
export function notificationTexts(fields: Fields): string[] {
  const isSigned = (name: string): boolean => name !== 'sign' && name !== 'sign_type';
  return [joined(fields, (name) => isSigned(name) && fields[name] !== ''), joined(fields, isSigned)];
}

/** The part of an answer that is signed, just as it came; null where there is none. */
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
