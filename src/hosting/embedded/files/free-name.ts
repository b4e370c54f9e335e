import type { Folder } from './folder.js';
import { newName } from './site-path.js';

const TRIES = 1_000;

/** Returns an unused name in a folder: the wanted one, or `name (2).ext`. @throws FileProblem NAME if that is too long */
export async function freeName(folder: Folder, wanted: string): Promise<string> {
  if ((await folder.stat(wanted)) === null) return wanted;
  const dot = wanted.lastIndexOf('.');
  const [stem, end] = dot > 0 ? [wanted.slice(0, dot), wanted.slice(dot)] : [wanted, ''];
  for (let n = 2; n < TRIES; n += 1) {
    const name = newName(`${stem} (${n})${end}`);
    if ((await folder.stat(name)) === null) return name;
  }
  return newName(`${stem} (${Date.now()})${end}`);
}
