/** GB18030 is a superset of GBK. */
const GBK = 'gb18030';

/**
 * Chooses the decoder for the names of an archive that does not declare an encoding: UTF-8 if all names are valid, otherwise GBK, which
 * Chinese Windows writes.
 */
export function nameDecoder(names: Iterable<Buffer>, wanted?: 'utf-8' | 'gbk'): (name: Buffer) => string {
  const decoder = new TextDecoder(wanted ? (wanted === 'gbk' ? GBK : wanted) : areUtf8(names) ? 'utf-8' : GBK);
  return (name) => decoder.decode(name);
}

function areUtf8(names: Iterable<Buffer>): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (const name of names) decoder.decode(name);
    return true;
  } catch {
    return false;
  }
}
