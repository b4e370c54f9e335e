const INLINE_TAG = /<\/?(?:a|abbr|b|code|del|em|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|u|var)(?:\s[^>]*)?>/gi;
const OTHER_TAG = /<[^>]*>/g;
const ENTITY = /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Returns the text of sanitized HTML: text across inline tags is joined, text across other tags is separated by a blank. */
export function textOfHtml(html: string): string {
  const text = html.includes('<') ? html.replace(INLINE_TAG, '').replace(OTHER_TAG, ' ') : html;
  return text.includes('&')
    ? text.replace(ENTITY, (_entity, name?: string, decimal?: string, hex?: string) =>
        name ? NAMED[name.toLowerCase()]! : character(decimal ? Number(decimal) : Number.parseInt(hex!, 16)),
      )
    : text;
}

function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
}
