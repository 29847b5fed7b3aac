import { type EngineName, openEngines } from '../src/index.ts'

// A process with its own environment that prints which engines are available to it.
const { urls, sources, notRun, close } = await openEngines(process.argv.slice(2) as EngineName[])
process.stdout.write(JSON.stringify({ urls, sources, notRun }))
await close()
