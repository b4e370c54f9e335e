export { MonitorTargets } from './monitor-targets.js';
export { MonitorRepository, type Asker, type NewMonitor, type SavedMonitor } from './monitor-repository.js';
export { MonitorInput, SaveMonitorInput, ToggleInput } from './monitor-form.js';
export { MonitorLog } from './monitor-log.js';
export { searchedOf } from './searched.js';
export { checkWire, monitorWire } from './monitor-wire.js';
export { Maintenance, WindowInput } from './maintenance.js';
export { MonitorList, MonitorListInput, SHOWN_STATES } from './monitor-list.js';
export { valuesOf, type MonitorValues } from './monitor-values.js';
