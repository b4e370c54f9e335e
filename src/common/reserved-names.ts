/** Names Windows gives to devices, whatever follows the first dot; the digits may be superscript. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i;

/** What every object of JavaScript has: a name among them finds that instead of nothing where somebody looks it up. */
const OBJECT_NAMES: ReadonlySet<string> = new Set(
  [...Object.getOwnPropertyNames(Object.prototype), 'prototype'].map((name) => name.toLowerCase()),
);

/** Whether a file or folder of this name means a device on Windows: `con`, `NUL.txt`, `com1`. */
export function isDeviceName(name: string): boolean {
  return DEVICE.test(name);
}

/**
 * Whether a package may not be called this, in any case: names of devices (`con`, `nul`), of what every object has (`__proto__`,
 * `constructor`), and of folders themselves (`.`, `..`).
 */
export function isReservedName(name: string): boolean {
  return isDeviceName(name) || OBJECT_NAMES.has(name.toLowerCase()) || /^\.{0,2}$/.test(name);
}
