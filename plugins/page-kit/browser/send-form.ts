// A page that leads on by the form it has: the gateway's, which is sent as soon as the page is there.
document.forms[0]!.submit();
