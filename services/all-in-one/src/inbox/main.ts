import { createLogger, newId, parseOrigins, runMain, stopOnSignal, systemClock } from '@parley/kit'
import { readInboxConfig } from './config.ts'
import { startInbox } from './inbox.ts'

/** The inbox as a standalone process, for services that run separately. */
await runMain(async () => {
  const { HOST: host, PORT: port, SMTP_PORT: smtpPort, DATA_DIR: folder, EXTRA_ORIGINS } = readInboxConfig()
  const extraOrigins = parseOrigins(EXTRA_ORIGINS)
  const log = createLogger('inbox', 'info')
  const inbox = await startInbox({ folder, host, port, smtpPort, extraOrigins, log, now: systemClock, newId })
  log.info({ url: inbox.url, smtp: inbox.smtpUrl }, 'listening')
  stopOnSignal(inbox.close, log)
})
