import { runService } from '@parley/kit'
import { billing } from './manifest.ts'

await runService(billing)
