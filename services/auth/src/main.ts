import { runService } from '@parley/kit'
import { auth } from './manifest.ts'

await runService(auth)
