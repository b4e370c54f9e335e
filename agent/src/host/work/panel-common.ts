import tarStream from 'tar-stream';
import yauzl from 'yauzl';
import yazl from 'yazl';

/**
 * What the panel's code for files of sites needs of the panel's ground floor, put in its place when the agent is bundled: see
 * `bundleAgent` of `src/cli/bundle.mjs`.
 */
const PACKAGES: Readonly<Record<string, unknown>> = { 'tar-stream': tarStream, yauzl, yazl };

/** A package, which is part of the bundle here. */
export function whenUsed<T>(name: string): () => T {
  return () => PACKAGES[name] as T;
}
