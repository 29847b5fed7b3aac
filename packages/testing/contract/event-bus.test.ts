import { eventBusContract } from '@parley/bus/contract'
import { busEngines } from './bus-engines.ts'

for (const [engine, openHarness] of Object.entries(busEngines)) eventBusContract(engine, openHarness)
