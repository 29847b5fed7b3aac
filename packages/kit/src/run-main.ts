import type { Logger } from './log.ts'
import { type Service, startService, stopOnSignal } from './service.ts'

/**
 * Runs the start of a process. When it fails, the process ends with 1: what its variables or its machine lack is said in one line each,
 * since a stack would only hide it; a fault of the program comes with its stack.
 */
export async function runMain(start: () => Promise<void>): Promise<void> {
  try {
    await start()
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`)
    process.exit(1)
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const foreseen = error.name === 'ConfigError' || 'syscall' in error
  return foreseen ? error.message : (error.stack ?? error.message)
}

/**
 * Starts a service and listens at its address. SIGTERM or SIGINT stops it and then closes what it used, in the given order.
 * @param used engines and clients that were opened for it
 */
export async function serve(
  service: Service,
  config: { readonly HOST: string; readonly PORT: number },
  log: Logger,
  used: readonly { close(): unknown }[],
): Promise<void> {
  const running = await startService(service, { host: config.HOST, port: config.PORT })
  log.info({ url: running.url }, 'listening')
  stopOnSignal(async () => {
    await running.stop()
    for (const engine of used) await engine.close()
  }, log)
}
