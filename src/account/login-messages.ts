/** What the users' login page says to who was led there, by the `from` of its address: keys of texts. */
export const LOGIN_MESSAGES: Readonly<Record<string, string | undefined>> = { link: 'web.one_click_limits', reset: 'account.reset_done' };
