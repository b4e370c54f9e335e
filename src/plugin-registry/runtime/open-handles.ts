import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

import { CORE_OWNER, currentOwner } from '../../common/index.js';

import { PluginFolders } from '../package/plugin-folders.js';

/** What Node's diagnostics channels hand over, as far as it is used here. */
interface NetServer extends NodeJS.EventEmitter {
  close(): void;
}
interface Connection extends NodeJS.EventEmitter {
  destroy(): void;
}

/** Frames looked at for the file that opened something: Node's own come first. */
const STACK_DEPTH = 40;

/**
 * What keeps a process busy besides timers, and was opened by a plugin's code, packages inside it included: listening servers (net, http,
 * https, http2, tls), UDP sockets, worker threads and child processes. Node tells of each through its diagnostics channels, so nothing is
 * patched; whose code opened it is read from the stack, because the panel opens things of its own while it works for a plugin.
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

  /** How many things `slug` has open. */
  count(slug: string): number {
    return this.closers.get(slug)?.size ?? 0;
  }

  /** Closes everything `slug` has open. */
  close(slug: string): void {
    for (const close of this.closers.get(slug) ?? []) {
      try {
        close();
      } catch {
        // It is closed already.
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

  /** Remembers how to close what the running code opens, until `over` says that it is closed. */
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

  /** The plugin whose file called Node; null where it was the panel, or nobody knows. */
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
    // The first lines are this file's.
    const caller = callers.find((line) => !line.includes('open-handles'));
    return caller ? this.folders.ownerOfStack(caller) : null;
  }
}
