import tarStream from 'tar-stream';
import yauzl from 'yauzl';
import yazl from 'yazl';

/** Replaces the panel's common modules that its file code imports when the agent is bundled; see `bundleAgent` in `src/cli/bundle.mjs`. */
const PACKAGES: Readonly<Record<string, unknown>> = { 'tar-stream': tarStream, yauzl, yazl };

/** Returns a loader for a package, which is part of the bundle here. */
export function whenUsed<T>(name: string): () => T {
  return () => PACKAGES[name] as T;
}
