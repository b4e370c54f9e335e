const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Returns the text of every element of that name without child elements. Responses of storages are flat lists of names and numbers, which
 * need no XML parser apart from entities.
 */
export function textsOf(xml: string, element: string): string[] {
  return [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(([, text]) => unescapeXml(text!));
}

function unescapeXml(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g, (whole, decimal, hex, name: string) => {
    if (name) return ENTITIES[name]!;
    const code = decimal ? Number(decimal) : Number.parseInt(hex as string, 16);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });
}
