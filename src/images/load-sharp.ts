import type sharp from 'sharp';

let loaded: Promise<typeof sharp> | undefined;

/**
 * Loads sharp with libvips when the first image is rendered or uploaded: some 7 MB that are not needed at start. One thread and no cache:
 * images are rare, and the memory libvips caches is never given back.
 */
export function loadSharp(): Promise<typeof sharp> {
  return (loaded ??= import('sharp').then(({ default: library }) => {
    library.cache(false);
    library.concurrency(1);
    return library;
  }));
}
