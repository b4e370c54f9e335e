/** Panels that specs have started in this process and not stopped. */
export const runningPanels = new Set<object>();
