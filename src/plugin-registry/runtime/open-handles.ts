import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

import { CORE_OWNER, currentOwner } from '../../common/index.js';

import { PluginFolders } from '../package/plugin-folders.js';

/** Objects passed by Node's diagnostics channels, as far as used here. */
interface NetServer extends NodeJS.EventEmitter {
  close(): void;
}
interface Connection extends NodeJS.EventEmitter {
  destroy(): void;
}

/** Stack frames searched for the file that opened a handle: Node's own come first. */
const STACK_DEPTH = 40;

/**
 * Tracks handles other than timers that were opened by a plugin's code, including its packages: listening servers (net, http, https, http2,
 * tls), UDP sockets, worker threads and child processes. Node's diagnostics channels report them, so nothing is patched; the owner is
 * determined from the stack, because the panel also opens handles while it works for a plugin.
 */
@Injectable()
export class OpenHandles implements OnModuleInit, OnApplicationShutdown {
  private readonly closers = new Map<string, Set<() => void>>();
  private readonly channels: readonly [name: string, (message: unknown) => void][] = [
    ['tracing:net.server.listen:asyncStart', (message) => this.server((message as { server: NetServer }).server)],
    ['udp.socket', (message) => this.udpSocket((message as { socket: NetServer }).socket)],
    ['worker_threads', (message) => this.worker((message as { worker: NodeJS.EventEmitter & { terminate(): Promise<number> } }).worker)],
    ['child_process', (message) => this.child((message as { process: NodeJS.EventEmitter & { kill(): boolean } }).process)],
  ];

  constructor(private readonly folders: PluginFolders) {}

  onModuleInit(): void {
    for (const [name, listener] of this.channels) subscribe(name, listener);
  }

  onApplicationShutdown(): void {
    for (const [name, listener] of this.channels) unsubscribe(name, listener);
  }

  /** Returns the number of open handles of `slug`. */
  count(slug: string): number {
    return this.closers.get(slug)?.size ?? 0;
  }

  /** Closes all handles of `slug`. */
  close(slug: string): void {
    for (const close of this.closers.get(slug) ?? []) {
      try {
        close();
      } catch {
        // Already closed.
      }
    }
    this.closers.delete(slug);
  }

  private server(server: NetServer): void {
    const connections = new Set<Connection>();
    const isKept = this.keep(server, 'close', () => {
      server.close();
      for (const connection of connections) connection.destroy();
    });
    if (!isKept) return;
    server.on('connection', (connection: Connection) => {
      connections.add(connection);
      connection.once('close', () => connections.delete(connection));
    });
  }

  private udpSocket(socket: NetServer): void {
    this.keep(socket, 'close', () => socket.close());
  }

  private worker(worker: NodeJS.EventEmitter & { terminate(): Promise<number> }): void {
    this.keep(worker, 'exit', () => void worker.terminate());
  }

  private child(child: NodeJS.EventEmitter & { kill(): boolean }): void {
    this.keep(child, 'exit', () => void child.kill());
  }

  /** Registers how to close a handle opened by the running code, until the event `over` reports it closed. */
  private keep(handle: NodeJS.EventEmitter, over: string, close: () => void): boolean {
    const owner = this.opener();
    if (owner === null) return false;
    let closers = this.closers.get(owner);
    if (!closers) this.closers.set(owner, (closers = new Set()));
    const own = closers;
    own.add(close);
    handle.once(over, () => own.delete(close));
    return true;
  }

  /** Returns the plugin whose file called Node; null for the panel, and if unknown. */
  private opener(): string | null {
    if (currentOwner() === CORE_OWNER) return null;
    const before = Error.stackTraceLimit;
    Error.stackTraceLimit = STACK_DEPTH;
    const stack = new Error().stack ?? '';
    Error.stackTraceLimit = before;
    const callers = stack
      .split('\n')
      .slice(1)
      .filter((line) => !line.includes('node:'));
    // The first lines belong to this file.
    const caller = callers.find((line) => !line.includes('open-handles'));
    return caller ? this.folders.ownerOfStack(caller) : null;
  }
}
