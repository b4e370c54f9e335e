const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * What stands in every element of a name in an answer of a storage, without elements inside. Their answers are flat lists of names and
 * numbers: nothing in them needs an XML parser but entities.
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
