import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

import { ZipFile } from 'yazl';

/**
 * Writes a ZIP with an ordinary library (yazl). Names ending with `/` are folders.
 *
 * @param zip64 writes ZIP64 records even if not needed
 */
export async function writeRealZip(
  path: string,
  files: Readonly<Record<string, string | Buffer>>,
  compress = true,
  zip64 = false,
): Promise<string> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) {
    if (name.endsWith('/')) zip.addEmptyDirectory(name);
    else zip.addBuffer(Buffer.from(content), name, { compress, forceZip64Format: zip64 });
  }
  zip.end({ forceZip64Format: zip64, comment: '' });
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}
