import { join } from 'node:path'
import { freePort } from '@parley/kit'
import { createOutput } from '../src/output.ts'
import { superviseReplica } from '../src/replica.ts'

/** A launcher of one echo service that runs until it is killed; it prints the service's pid once ready. */
const port = await freePort()
const replica = superviseReplica({
  name: 'echo#1',
  port,
  main: join(import.meta.dirname, 'echo-service.ts'),
  environment: { PORT: String(port) },
  output: createOutput(() => undefined),
})
await replica.started()
process.stdout.write(`${replica.pid}\n`)
