import { startAllInOneSystem } from './all-in-one-system.ts'
import { startSplitSystem } from './split-system.ts'
import { type System, type SystemOptions, systemKind } from './system-kinds.ts'

export type { System } from './system-kinds.ts'

/** Starts Parley, of the kind named by `E2E_SYSTEM`, on free ports; resolves once it can answer a chat. */
export const startSystem = (options: SystemOptions = {}): Promise<System> =>
  systemKind() === 'split' ? startSplitSystem(options) : startAllInOneSystem(options)
