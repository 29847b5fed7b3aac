import { type ChildProcess, spawn } from 'node:child_process'
import type { Supervisor } from './open-supervisor.ts'
import type { Output } from './output.ts'

/** How a service's process is started. */
export interface ServiceCommand {
  /** In the output, such as `chat#1`. */
  readonly name: string
  /** Absolute path of its `main.ts`. */
  readonly main: string
  /** All its variables: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>
  readonly output: Output
  readonly supervisor: Supervisor
}

/** How a process ended: one of the two is null. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A process that was started, running or not any more. */
export interface ServiceProcess {
  readonly pid: number
  readonly ended: Promise<ProcessEnd>
  signal(signal: NodeJS.Signals): void
}

/** Starts it. @throws Error when the system cannot start another process */
export function startServiceProcess({ name, main, environment, output, supervisor }: ServiceCommand): ServiceProcess {
  const child = spawn(process.execPath, [main], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Not in the launcher's group: Ctrl-C would end all services at once instead of in order.
    detached: true,
  })
  const { pid } = child
  if (pid === undefined) throw new Error(`${name} could not be started`)
  supervisor.began(pid)
  output.take(name, child.stdout)
  output.take(name, child.stderr)
  return { pid, ended: endOf(child, () => supervisor.ended(pid)), signal: (signal) => void child.kill(signal) }
}

function endOf(child: ChildProcess, tell: () => void): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      tell()
      resolve({ code, signal })
    })
  })
}
