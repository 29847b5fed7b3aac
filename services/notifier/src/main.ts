import { runService } from '@parley/kit'
import { notifier } from './manifest.ts'

await runService(notifier)
