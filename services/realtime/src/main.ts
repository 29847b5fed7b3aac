import { runService } from '@parley/kit'
import { realtime } from './manifest.ts'

await runService(realtime)
