/** A dump that cannot be read; the message is for the user of the command. */
export class DumpError extends Error {}
