import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Owners by their code folders, as file URLs with a trailing slash: one list per process, like the places. */
const folders = new Map<string, string>();
const listeners = new Set<(owner: string, folder: string) => void>();

/** Registers `folder`, an absolute path without symbolic links, as containing `owner`'s scripts. */
export function noteCodeFolder(owner: string, folder: string): void {
  const address = pathToFileURL(folder + sep).href;
  if (folders.get(address) === owner) return;
  folders.set(address, owner);
  for (const listener of listeners) listener(owner, address);
}

/** Calls `listener` for every known code folder and for each new one, until the returned function is called. */
export function followCodeFolders(listener: (owner: string, folder: string) => void): () => void {
  folders.forEach((owner, folder) => listener(owner, folder));
  listeners.add(listener);
  return () => listeners.delete(listener);
}
