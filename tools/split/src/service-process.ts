import { type ChildProcess, spawn } from 'node:child_process'
import { guard } from '@parley/engines/guard'
import type { Output } from './output.ts'

/** How to start a service's process. */
export interface ServiceCommand {
  /** The name in the output, such as `chat#1`. */
  readonly name: string
  /** Absolute path of its `main.ts`. */
  readonly main: string
  /** Its complete environment; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>
  readonly output: Output
}

/** The exit of a process: one of the two is null. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A started process, which may have ended. */
export interface ServiceProcess {
  readonly pid: number
  readonly ended: Promise<ProcessEnd>
  signal(signal: NodeJS.Signals): void
}

/** Starts a process that does not outlive this one, even after a kill. @throws Error if the system cannot start another process */
export function startServiceProcess({ name, main, environment, output }: ServiceCommand): ServiceProcess {
  const child = spawn(process.execPath, [main], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Not in the launcher's process group, where Ctrl-C would stop all services at once instead of in order.
    detached: true,
  })
  const { pid } = child
  if (pid === undefined) throw new Error(`${name} could not be started`)
  const callOff = guard('kill -9 "$1"', [String(pid)])
  output.take(name, child.stdout)
  output.take(name, child.stderr)
  return { pid, ended: endOf(child, callOff), signal: (signal) => void child.kill(signal) }
}

function endOf(child: ChildProcess, callOff: () => void): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      callOff()
      resolve({ code, signal })
    })
  })
}
