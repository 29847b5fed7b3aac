import { setTimeout as delay } from 'node:timers/promises'
import { interruptible, unlessAborted } from '../src/index.ts'

/**
 * A process whose work never ends by itself and takes a moment to clean up. Its argument: `ever` for one whose clean-up never ends, `done` for one
 * whose work ends.
 */
const [, , how] = process.argv
const ticking = setInterval(() => undefined, 1_000)
const result = await interruptible(async (signal) => {
  if (how === 'done') return 'result'
  console.log('working')
  try {
    return await unlessAborted(signal, () => new Promise<string>(() => undefined))
  } finally {
    await delay(100)
    if (how === 'ever') await new Promise(() => undefined)
    console.log('cleaned up')
  }
})
console.log(result)
clearInterval(ticking)
