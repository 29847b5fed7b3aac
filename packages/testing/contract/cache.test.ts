import { cacheEngineContract } from '@parley/cache/contract'
import { onEngine } from '../src/engines/test-engines.ts'
import { openMemoryHarness, openRedisHarness } from './cache-engines.ts'

cacheEngineContract('memory', openMemoryHarness)
onEngine('redis', () => cacheEngineContract('Redis', openRedisHarness))
