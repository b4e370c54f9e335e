// The page of a payment within WeChat: its own window asks the buyer to pay what `#request` holds, and the order's page comes next.
(() => {
  'use strict';
  const { request, done } = document.getElementById('request').dataset;
  const pay = () =>
    globalThis.WeixinJSBridge.invoke('getBrandWCPayRequest', JSON.parse(request), () => {
      location.href = done;
    });
  if (globalThis.WeixinJSBridge) pay();
  else document.addEventListener('WeixinJSBridgeReady', pay);
})();
