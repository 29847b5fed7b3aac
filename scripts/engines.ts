import { engineNames, openEngines, variables } from '@parley/engines'
import { scratchFolder } from '@parley/engines/scratch'

/**
 * Keeps the engines of tests open while it is running, so that runs of single test files need not start them.
 * Paste its output into the shell of the tests.
 */
const engines = await openEngines(engineNames, scratchFolder())
for (const name of engineNames) {
  const url = engines.urls[name]
  if (url !== undefined) console.log(`export ${variables[name]}='${url}'`)
}
for (const { name, reason } of engines.notRun) console.error(`not run: ${name}: ${reason}`)
console.error('Press Ctrl-C to stop them.')
const beat = setInterval(() => undefined, 60_000)
const stop = (): void => {
  clearInterval(beat)
  void engines.close()
}
engines.onLost((reason) => {
  console.error(reason)
  process.exitCode = 1
  stop()
})
process.once('SIGINT', stop).once('SIGTERM', stop)
