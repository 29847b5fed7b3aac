import { runService } from '@parley/kit'
import { share } from './manifest.ts'

await runService(share)
