/** The server makes this module: ../../icon-list.ts. Outlines by name, each the `d` of a `<path>` in a box of 24 by 24. */
export const icons: Record<string, string>;
