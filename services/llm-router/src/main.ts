import { runService } from '@parley/kit'
import { llmRouter } from './manifest.ts'

await runService(llmRouter)
