import { eventBusContract } from '@parley/bus/contract'
import { engineUrl, onEngine } from '../src/engines/test-engines.ts'
import { busEngines } from './bus-engines.ts'

for (const [engine, { on, openHarness }] of Object.entries(busEngines)) {
  onEngine(on, () => eventBusContract(engine, () => openHarness(engineUrl(on) ?? '')))
}
