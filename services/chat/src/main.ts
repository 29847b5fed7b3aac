import { runService } from '@parley/kit'
import { chat } from './manifest.ts'

await runService(chat)
