/** A dump that cannot be read, in words for who runs the command. */
export class DumpError extends Error {}
