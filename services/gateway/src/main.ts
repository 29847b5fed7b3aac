import { runService } from '@parley/kit'
import { gateway } from './manifest.ts'

await runService(gateway)
