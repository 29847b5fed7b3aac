import { monitorEventLoopDelay } from 'node:perf_hooks'
import { answerQuestions } from '../process-channel.ts'

// Preloaded into Parley's process.
const delays = monitorEventLoopDelay({ resolution: 1 })
delays.enable()
answerQuestions({
  forget: () => delays.reset(),
  /** The p99 of event loop delays, in milliseconds. */
  loopP99: () => delays.percentile(99) / 1e6,
})
// The channel must not keep the process alive.
process.channel?.unref()
