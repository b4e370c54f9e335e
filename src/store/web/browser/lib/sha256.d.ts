/** The server gives this module: js-sha256. */
export const sha256: { array(text: string): [number, number, number, number, ...number[]] };
