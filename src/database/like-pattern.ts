/** Escapes a text for a pattern of `LIKE ? ESCAPE '!'`. */
export const likeText = (text: string): string => text.replace(/[!%_]/g, '!$&');

/** Pattern of `LIKE ? ESCAPE '!'` that matches this text anywhere. */
export const likeAnywhere = (text: string): string => `%${likeText(text)}%`;
