/** API of WeChat's built-in browser. */
interface Bridge {
  invoke(name: string, request: unknown, done: () => void): void;
}
declare global {
  interface Window {
    readonly WeixinJSBridge?: Bridge;
  }
}

// Payment page within WeChat: opens WeChat's payment window with the data of `#request`, and then the order's page.
const { request, done } = document.getElementById('request')!.dataset;
const pay = (): void =>
  window.WeixinJSBridge!.invoke('getBrandWCPayRequest', JSON.parse(request!), () => {
    location.href = done!;
  });
if (window.WeixinJSBridge) pay();
else document.addEventListener('WeixinJSBridgeReady', pay);
