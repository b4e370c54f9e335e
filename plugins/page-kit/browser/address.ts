// Removes confirmations from the URL, so that they are shown only once, even after a reload or a sign-in.
const address = new URL(location.href);
const present = ['saved', 'done', 'redeemed'].filter((name) => address.searchParams.has(name));
for (const name of present) address.searchParams.delete(name);
if (present.length > 0) window.history.replaceState(window.history.state, '', address);
