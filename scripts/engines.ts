import { engineNames, openEngines, variables } from '@parley/engines'
import { scratchFolder } from '@parley/engines/scratch'

/**
 * Opens the engines that tests run on, for as long as this runs, so that single test files need not wait for them.
 * Paste what it prints into the shell of the tests.
 */
const engines = await openEngines(engineNames, scratchFolder())
for (const name of engineNames) {
  const url = engines.urls[name]
  if (url !== undefined) console.log(`export ${variables[name]}='${url}'`)
}
for (const { name, reason } of engines.notRun) console.error(`not run: ${name}: ${reason}`)
console.error('Ctrl-C ends them.')
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
