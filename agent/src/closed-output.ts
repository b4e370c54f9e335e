/** Has the program go on quietly to its end where nobody reads what it says any more, as behind `… | head`: nothing is left half done. */
export function outliveClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}
