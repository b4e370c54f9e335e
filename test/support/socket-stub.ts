/** Part of Node's TCP handle that is replaced. */
interface TcpHandle {
  connect(request: object, address: string, port: number): number;
  connect6(request: object, address: string, port: number): number;
}

const ECONNREFUSED = -111;

function tcpHandle(): TcpHandle {
  const { binding } = process as unknown as { binding(name: 'tcp_wrap'): { TCP: { prototype: TcpHandle } } };
  return binding('tcp_wrap').TCP.prototype;
}

/**
 * Stub for all outgoing TCP connections of this process, whichever client opens them (node:http, node:https, net, fetch), so that tests can
 * use any address: nothing leaves the machine. Connections to addresses without a route are refused.
 */
export class SocketStub {
  /** Addresses of all attempted connections, in order. */
  readonly attempts: string[] = [];
  private readonly routes = new Map<string, number | 'silent'>();
  private original: TcpHandle | undefined;

  /** Installs the stub; call {@link restore} afterwards. */
  install(): this {
    const handle = tcpHandle();
    const { connect, connect6 } = handle;
    this.original = { connect, connect6 };
    const { attempts, routes } = this;
    const stubbed = function (this: TcpHandle, request: object, address: string, port: number): number {
      attempts.push(address);
      const route = routes.get(`${address} ${port}`) ?? routes.get(address);
      if (route === undefined) return ECONNREFUSED;
      return route === 'silent' ? 0 : connect.call(this, request, '127.0.0.1', route);
    };
    handle.connect = stubbed;
    handle.connect6 = stubbed;
    return this;
  }

  restore(): void {
    Object.assign(tcpHandle(), this.original);
  }

  /** Redirects connections to `address` (or `"address port"`) to a loopback port; `silent` never answers them. */
  route(address: string, to: number | 'silent'): void {
    this.routes.set(address, to);
  }

  /** Clears attempts and routes. */
  reset(): void {
    this.attempts.length = 0;
    this.routes.clear();
  }
}
