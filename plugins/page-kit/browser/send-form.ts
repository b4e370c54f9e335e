// Submits the page's only form, which leads to the gateway, immediately.
document.forms[0]!.submit();
