import { type EngineName, openEngines } from '../src/index.ts'

// A process with an environment of its own: says which engines it can have.
const { urls, sources, notRun, close } = await openEngines(process.argv.slice(2) as EngineName[])
process.stdout.write(JSON.stringify({ urls, sources, notRun }))
await close()
