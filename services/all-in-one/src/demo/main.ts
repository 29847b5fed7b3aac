import { createLogger, runMain, stopOnSignal } from '@parley/kit'
import { readDemoConfig } from './config.ts'
import { startDemoProvider } from './provider.ts'

/** The demo provider as a standalone process, for services that run separately. */
await runMain(async () => {
  const { HOST: host, PORT: port, DEMO_PIECE_MS: pieceMs } = readDemoConfig()
  const log = createLogger('demo', 'info')
  const demo = await startDemoProvider({ host, port, pieceMs })
  log.info({ url: demo.url }, 'listening')
  stopOnSignal(demo.close, log)
})
