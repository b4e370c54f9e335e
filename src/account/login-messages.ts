/** Text keys of messages on the users' login page, by the query parameter `from`. */
export const LOGIN_MESSAGES: Readonly<Record<string, string | undefined>> = { link: 'web.one_click_limits', reset: 'account.reset_done' };
