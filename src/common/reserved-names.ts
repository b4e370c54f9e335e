/** Device names of Windows, whatever follows the first dot; the digits may be superscript. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i;

/** Properties of every JavaScript object: looking up such a name would find them instead of nothing. */
const OBJECT_NAMES: ReadonlySet<string> = new Set(
  [...Object.getOwnPropertyNames(Object.prototype), 'prototype'].map((name) => name.toLowerCase()),
);

/** Returns whether a file or folder of this name means a device on Windows: `con`, `NUL.txt`, `com1`. */
export function isDeviceName(name: string): boolean {
  return DEVICE.test(name);
}

/**
 * Returns whether a name is forbidden for packages, in any case: device names (`con`, `nul`), object properties (`__proto__`,
 * `constructor`), and relative folders (`.`, `..`).
 */
export function isReservedName(name: string): boolean {
  return isDeviceName(name) || OBJECT_NAMES.has(name.toLowerCase()) || /^\.{0,2}$/.test(name);
}
