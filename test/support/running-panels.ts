/** Panels that specs have started in this process and not ended. */
export const runningPanels = new Set<object>();
