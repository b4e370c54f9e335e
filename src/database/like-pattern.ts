/** A text as part of a pattern of `LIKE ? ESCAPE '!'`, where it stands for itself alone. */
export const likeText = (text: string): string => text.replace(/[!%_]/g, '!$&');

/** The pattern of `LIKE ? ESCAPE '!'` that finds whatever has this text in it. */
export const likeAnywhere = (text: string): string => `%${likeText(text)}%`;
