import { monitorEventLoopDelay } from 'node:perf_hooks'
import { answerQuestions } from '../process-channel.ts'

// Loaded into the process of Parley before anything else of it.
const delays = monitorEventLoopDelay({ resolution: 1 })
delays.enable()
answerQuestions({
  forget: () => delays.reset(),
  /** Milliseconds between two turns of the loop that all but one of a hundred stay below. */
  loopP99: () => delays.percentile(99) / 1e6,
})
// To be asked is no reason to go on.
process.channel?.unref()
