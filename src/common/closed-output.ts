/**
 * Lets a command run to its end after its output was closed, as in `… | head`: its work is finished and further output is discarded.
 *
 * @param onClosed called once, to stop a command that would otherwise run forever
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
