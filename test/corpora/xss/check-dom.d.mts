/** Constructs that run script in today's browsers. */
export function findScripting(html: string): string[];
/** Constructs only old engines ran. */
export function findLegacy(html: string): string[];
/** Elements with the attributes that matter, and the text. */
export function outline(html: string, keep?: string[]): { tags: string[]; text: string };
