type Listener = (...args: unknown[]) => unknown;

/** Called for each forbidden attempt; the error is then thrown to the plugin. */
export type RefusalReporter = (what: string, error: Error) => void;

/** Number of listeners at which removed ones are cleaned up. */
const SWEEP_AT = 64;

/**
 * `process` as seen by one plugin: like the real one, but the plugin cannot end the panel or change process-wide state, and its listeners
 * are removed when it stops.
 */
export class PluginProcess {
  readonly proxy: NodeJS.Process;
  private readonly listeners: { event: string | symbol; listener: Listener; wrapped: Listener }[] = [];
  private stopped = false;

  /**
   * @param slug the plugin
   * @param refused called for each attempt to end the process
   * @param run calls a listener as the plugin's code
   */
  constructor(
    private readonly slug: string,
    private readonly refused: RefusalReporter,
    private readonly run: (work: () => unknown) => unknown,
  ) {
    const own: Record<string | symbol, unknown> = {
      exit: () => this.refuse('process.exit()'),
      reallyExit: () => this.refuse('process.reallyExit()'),
      abort: () => this.refuse('process.abort()'),
      chdir: () => this.refuse('process.chdir()'),
      setUncaughtExceptionCaptureCallback: () => this.refuse('process.setUncaughtExceptionCaptureCallback()'),
      kill: (pid: number, signal?: string | number) => {
        const isPanel = pid === process.pid || pid === -process.pid || pid === 0 || pid === -1;
        if (isPanel && signal !== 0) this.refuse('process.kill(process.pid)');
        return process.kill(pid, signal);
      },
      emit: (event: string, ...args: unknown[]) => {
        if (/^(?:SIG[A-Z0-9]+|exit|beforeExit|uncaughtException|unhandledRejection)$/.test(event)) this.refuse(`process.emit('${event}')`);
        return process.emit(event as 'warning', ...(args as [Error]));
      },
      on: this.adding('on'),
      addListener: this.adding('on'),
      prependListener: this.adding('prependListener'),
      once: this.adding('on', true),
      prependOnceListener: this.adding('prependListener', true),
      off: this.removing,
      removeListener: this.removing,
      removeAllListeners: (event?: string | symbol) => {
        this.take((known) => event === undefined || known.event === event);
        return this.proxy;
      },
    };
    this.proxy = new Proxy(process, {
      get: (target, name) => (Object.hasOwn(own, name) ? own[name] : (Reflect.get(target, name, target) as unknown)),
      set: (target, name, value) => {
        if (name === 'exitCode') this.refuse('process.exitCode =');
        if (Object.hasOwn(own, name)) own[name] = value;
        else return Reflect.set(target, name, value, target);
        return true;
      },
    });
  }

  /** Removes all listeners. */
  stop(): void {
    this.stopped = true;
    this.take(() => true);
  }

  private refuse(what: string): never {
    const error = new Error(
      `${what} is not allowed: it would stop or change the whole panel, and "${this.slug}" is only ` +
        'a part of it. Throw an error instead.',
    );
    this.refused(what, error);
    throw error;
  }

  private adding(method: 'on' | 'prependListener', once = false) {
    return (event: string | symbol, listener: Listener): NodeJS.Process => {
      if (this.stopped) throw new Error(`The plugin "${this.slug}" was stopped: it cannot add listeners any more.`);
      if (typeof listener !== 'function') throw new TypeError(`A listener of process must be a function, not ${typeof listener}.`);
      const wrapped: Listener = (...args) => {
        if (once) this.take((known) => known.wrapped === wrapped);
        return this.run(() => listener.apply(this.proxy, args));
      };
      this.listeners.push({ event, listener, wrapped });
      process[method](event as 'SIGHUP', wrapped);
      if (this.listeners.length >= SWEEP_AT && this.listeners.length % SWEEP_AT === 0) this.sweep();
      return this.proxy;
    };
  }

  private readonly removing = (event: string | symbol, listener: Listener): NodeJS.Process => {
    const at = this.listeners.findLastIndex(
      (known) => known.event === event && (known.listener === listener || known.wrapped === listener),
    );
    if (at >= 0) process.removeListener(event as string, this.listeners.splice(at, 1)[0]!.wrapped);
    return this.proxy;
  };

  private take(which: (known: { event: string | symbol; wrapped: Listener }) => boolean): void {
    for (let at = this.listeners.length - 1; at >= 0; at -= 1) {
      const known = this.listeners[at]!;
      if (!which(known)) continue;
      this.listeners.splice(at, 1);
      process.removeListener(known.event as string, known.wrapped);
    }
  }

  /** Other code may have removed listeners of the real process. */
  private sweep(): void {
    this.take(({ event, wrapped }) => !process.listeners(event as 'exit').includes(wrapped as () => void));
  }
}
