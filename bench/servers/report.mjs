/** How a server of the HTTP benches talks to the bench: it says where it listens, and what processor time it has used. */

/** @param {{ port: number, cookie?: string }} ready port of loopback, and the cookie that signs a caller in */
export function ready({ port, cookie = '' }) {
  process.on('message', (message) => {
    if (message === 'cpu') {
      const { user, system } = process.cpuUsage();
      process.send({ cpu: user + system });
    }
  });
  process.on('disconnect', () => process.exit(0));
  process.send({ port, cookie });
}
