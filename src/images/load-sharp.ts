import type sharp from 'sharp';

let loaded: Promise<typeof sharp> | undefined;

/**
 * sharp with libvips, loaded when the first picture is drawn or comes in: some 7 MB that no start needs. One thread and no cache: pictures
 * are rare here, and the memory libvips would keep for the next one is never given back.
 */
export function loadSharp(): Promise<typeof sharp> {
  return (loaded ??= import('sharp').then(({ default: library }) => {
    library.cache(false);
    library.concurrency(1);
    return library;
  }));
}
