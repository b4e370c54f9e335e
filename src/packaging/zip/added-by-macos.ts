/** Whether macOS put this into the ZIP beside the folder that was packed. */
export function isAddedByMacOs(name: string): boolean {
  return name.startsWith('__MACOSX/') || name === '.DS_Store';
}
