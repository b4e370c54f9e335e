/** GBK and what it grew into. */
const GBK = 'gb18030';

/**
 * Chooses how the names of an archive are read that do not say it: as UTF-8 where all of them are, as GBK otherwise, which is what archives
 * are written in on Chinese Windows.
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
