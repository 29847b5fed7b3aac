import { runService } from '@parley/kit'
import { memory } from './manifest.ts'

await runService(memory)
