import { startParley } from './parley.ts'
import type { Plan } from './plan.ts'
import { type Child, startChild } from './process-channel.ts'

/** Everything needed to measure the whole system, each in a process of its own. */
export type Whole = Awaited<ReturnType<typeof startWhole>>

/** Starts the provider, the load generator, the bare pass-through and Parley. Dispose of it to stop them all. */
export async function startWhole(plan: Plan) {
  await using starting = new AsyncDisposableStack()
  const start = async (file: string): Promise<Child> => {
    const child = await startChild(file)
    starting.defer(() => child.stop())
    return child
  }
  const stub = await start('stub-process.ts')
  const load = await start('load-process.ts')
  const bare = await start('bare-process.ts')
  const stubUrl = await stub.ask<string>('listen')
  const bareUrl = await bare.ask<string>('listen', stubUrl)
  const parley = await startParley(`${stubUrl}/v1`)
  starting.defer(() => parley.stop())
  const started = starting.move()
  return { plan, stub, stubUrl, load, bare, bareUrl, parley, [Symbol.asyncDispose]: () => started.disposeAsync() }
}
