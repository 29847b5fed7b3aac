import { startAllInOneSystem } from './all-in-one-system.ts'
import { startSplitSystem } from './split-system.ts'
import { type System, type SystemOptions, systemKind } from './system-kinds.ts'

export type { System } from './system-kinds.ts'

/** Starts a whole Parley of the kind that `E2E_SYSTEM` names on free ports, and resolves once a chat can be answered. */
export const startSystem = (options: SystemOptions = {}): Promise<System> =>
  systemKind() === 'split' ? startSplitSystem(options) : startAllInOneSystem(options)
