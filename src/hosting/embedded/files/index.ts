export { EmbeddedFiles } from './embedded-files.js';
export { problemOf } from './folder.js';
export type { SiteArea } from './site-area.js';
export { refusing, SiteAreas } from './site-areas.js';
export { isProtected } from './site-path.js';
export { readTar } from './tar-archive.js';
export { writeTar } from './tar-writing.js';
export { TreeWalk, type WalkedThing } from './tree-walk.js';
export { safeParts, UnpackedTree } from './unpacked-tree.js';
