import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Faults } from '../common/index.js';
import { EventDispatcher, HookRegistry } from '../hooks/index.js';
import { OverrideRegistry, WidgetRegistry } from '../theme/index.js';

/** Books the failures that the floors below have logged and survived, so that the plugin list names their culprits too. */
@Injectable()
export class ListenerFaults implements OnModuleInit {
  constructor(
    private readonly faults: Faults,
    private readonly hooks: HookRegistry,
    private readonly events: EventDispatcher,
    private readonly widgets: WidgetRegistry,
    private readonly overrides: OverrideRegistry,
  ) {}

  onModuleInit(): void {
    this.hooks.onListenerError = ({ hook, owner, error }) => this.faults.note(owner, `listener of ${hook}`, error);
    this.events.onListenerError = ({ hook, owner, error }) => this.faults.note(owner, `listener of ${hook}`, error);
    this.widgets.onFailure = ({ owner, place, error }) => this.faults.note(owner, place, error);
    this.overrides.onFailure = ({ owner, place, error }) => this.faults.note(owner, place, error);
  }
}
