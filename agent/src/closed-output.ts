/** Ignores EPIPE on the output streams, as with `… | head`, so that the program finishes its work when nobody reads its output any more. */
export function outliveClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}
