/** Takes back one registration; calling it again does nothing. */
export type Undo = () => void;

/**
 * The registrations of one owner. Disposing runs their undo functions in reverse order, every one of them,
 * even when some throw; the errors come back as a list so that the caller can log them.
 */
export class RegistrationScope {
  private readonly undos: Undo[] = [];
  private disposed = false;

  /** Keeps `undo` for {@link dispose}; the returned function runs it early, at most once. */
  add(undo: Undo): Undo {
    if (this.disposed) {
      undo();
      throw new Error('This plugin was disabled: it cannot register anything any more.');
    }
    let done = false;
    const once = (): void => {
      if (done) return;
      done = true;
      const at = this.undos.indexOf(once);
      if (at >= 0) this.undos.splice(at, 1);
      undo();
    };
    this.undos.push(once);
    return once;
  }

  /** Whether everything was taken back: the owner is being stopped. */
  get isDisposed(): boolean {
    return this.disposed;
  }

  /** Takes everything back; whatever is added later is taken back at once. */
  dispose(): unknown[] {
    this.disposed = true;
    const errors: unknown[] = [];
    for (const undo of [...this.undos].reverse()) {
      try {
        undo();
      } catch (error) {
        errors.push(error);
      }
    }
    return errors;
  }
}
