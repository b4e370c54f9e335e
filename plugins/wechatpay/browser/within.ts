/** What the browser of WeChat has. */
interface Bridge {
  invoke(name: string, request: unknown, done: () => void): void;
}
declare global {
  interface Window {
    readonly WeixinJSBridge?: Bridge;
  }
}

// The page of a payment within WeChat: its own window asks the buyer to pay what `#request` holds, and the order's page comes next.
const { request, done } = document.getElementById('request')!.dataset;
const pay = (): void =>
  window.WeixinJSBridge!.invoke('getBrandWCPayRequest', JSON.parse(request!), () => {
    location.href = done!;
  });
if (window.WeixinJSBridge) pay();
else document.addEventListener('WeixinJSBridgeReady', pay);
