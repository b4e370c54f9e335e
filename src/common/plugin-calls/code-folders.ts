import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Owners by the folders of their code, as addresses with a slash at the end: one list for the process, as of places. */
const folders = new Map<string, string>();
const listeners = new Set<(owner: string, folder: string) => void>();

/** The scripts in `folder`, an absolute path without links, are `owner`'s. */
export function noteCodeFolder(owner: string, folder: string): void {
  const address = pathToFileURL(folder + sep).href;
  if (folders.get(address) === owner) return;
  folders.set(address, owner);
  for (const listener of listeners) listener(owner, address);
}

/** Tells `listener` of every folder of code and of each that comes until the answer is called. */
export function followCodeFolders(listener: (owner: string, folder: string) => void): () => void {
  folders.forEach((owner, folder) => listener(owner, folder));
  listeners.add(listener);
  return () => listeners.delete(listener);
}
