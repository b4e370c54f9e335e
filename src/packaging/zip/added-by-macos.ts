/** Returns whether an entry is macOS metadata outside the packed folder. */
export function isAddedByMacOs(name: string): boolean {
  return name.startsWith('__MACOSX/') || name === '.DS_Store';
}
