import { interruptible, stopOnSignal } from '@parley/kit'
import { type AllInOneConfig, readAllInOneConfig } from './config.ts'
import { type AllInOne, startAllInOne } from './start.ts'
import { startFailure } from './start-failure.ts'
import { whereToLook } from './where-to-look.ts'

let config: AllInOneConfig | undefined
try {
  const variables = readAllInOneConfig()
  config = variables
  const parley = await interruptible((signal) => startAllInOne(variables, signal))
  stopOnSignal(parley.stop, parley.log)
  announce(parley, variables)
} catch (error) {
  // Configuration faults and ports in use are for the operator to fix: print the reason, not a stack trace.
  console.error(startFailure(error, config))
  process.exit(1)
}

function announce({ publicUrl, announcements, inbox }: AllInOne, config: AllInOneConfig): void {
  for (const line of announcements) console.log(line)
  if (inbox !== undefined) console.log(`Inbox: ${inbox.url}`)
  for (const line of whereToLook(config)) console.log(line)
  console.log(`Parley is ready at ${publicUrl}`)
}
