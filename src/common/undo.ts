/** Undoes one registration; further calls do nothing. */
export type Undo = () => void;

/**
 * The registrations of one owner. Disposing runs all their undo functions in reverse order, even if some throw;
 * the errors are returned as a list for the caller to log.
 */
export class RegistrationScope {
  private readonly undos: Undo[] = [];
  private disposed = false;

  /** Keeps `undo` for {@link dispose}; the returned function runs it early, at most once. */
  add(undo: Undo): Undo {
    if (this.disposed) {
      undo();
      throw new Error('This plugin was disabled: it can no longer register anything.');
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

  /** Whether everything was undone: the owner is being stopped. */
  get isDisposed(): boolean {
    return this.disposed;
  }

  /** Undoes everything; anything added later is undone immediately. */
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
