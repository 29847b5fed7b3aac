import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Starts `hanging-consumer.ts` on an engine of the table. */
export function startHangingConsumer(engine: string, address: string, group: string) {
  const script = fileURLToPath(new URL('./hanging-consumer.ts', import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [script, engine, address, group], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const handling = new Promise<string>((resolve, reject) => {
    if (child.stdout !== null) createInterface(child.stdout).once('line', resolve)
    child.once('exit', () => reject(new Error('The consumer ended')))
  })
  // Once the test has seen it handle an event, its exit is expected.
  handling.catch(() => undefined)
  return { handling, kill: () => child.kill('SIGKILL') }
}
