/** Returns the constructs that run scripts in current browsers. */
export function findScripting(html: string): string[];
/** Returns the constructs that ran only in old engines. */
export function findLegacy(html: string): string[];
/** Returns the elements with their relevant attributes, and the text. */
export function outline(html: string, keep?: string[]): { tags: string[]; text: string };
