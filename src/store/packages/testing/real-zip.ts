import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

import { ZipFile } from 'yazl';

/** Writes a ZIP with an ordinary library (yazl). A name that ends with `/` is a folder. */
export async function writeRealZip(path: string, files: Readonly<Record<string, string | Buffer>>, compress = true): Promise<string> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) {
    if (name.endsWith('/')) zip.addEmptyDirectory(name);
    else zip.addBuffer(Buffer.from(content), name, { compress });
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}
