import { stopOnSignal } from '@parley/kit'
import { readAllInOneConfig } from './config.ts'
import { type AllInOne, startAllInOne } from './start.ts'

try {
  const parley = await startAllInOne(readAllInOneConfig())
  stopOnSignal(parley.stop, parley.log)
  announce(parley)
} catch (error) {
  // A wrong variable or a taken port is the operator's to mend: they read the reason, not a stack.
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

function announce({ publicUrl, announcements, inbox }: AllInOne): void {
  for (const line of announcements) console.log(line)
  if (inbox !== undefined) console.log(`Inbox: ${inbox.url}`)
  console.log(`Parley is ready at ${publicUrl}`)
}
