import { createInterface } from 'node:readline'

/**
 * Ends what the launcher leaves behind when it is killed: told of each process by a line (`+123` began, `-123` ended), it kills those that
 * are left once its input ends. A process of its own, since the launcher cannot do anything then, and stopped processes hear nothing.
 */
const running = new Set<number>()
// Ctrl-C is the launcher's to answer; this one outlives it by a moment.
process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined)
for await (const line of createInterface({ input: process.stdin })) {
  const pid = Number(line.slice(1))
  if (line.startsWith('+')) running.add(pid)
  else running.delete(pid)
}
for (const pid of running) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself meanwhile.
  }
}
