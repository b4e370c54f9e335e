/**
 * Has a command go on quietly to its end where nobody reads what it says any more, as behind `… | head`: what it does is not left half
 * done, and what it says goes nowhere.
 *
 * @param onClosed told once; for what would go on without end
 */
export function outliveClosedOutput(onClosed: () => void = () => undefined): void {
  let isClosed = false;
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      if (!isClosed) onClosed();
      isClosed = true;
    });
}
