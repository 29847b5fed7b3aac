import { startDemoProvider } from '@parley/all-in-one/demo'
import { startInbox } from '@parley/all-in-one/inbox'
import { createLogger, freePort, newId, systemClock } from '@parley/kit'
import { startIngress } from './ingress.ts'
import { startWebServer } from './web-server.ts'

/** The system's public endpoints, and the stand-ins for external services. */
export interface Edge {
  readonly publicUrl: string
  readonly inboxUrl: string
  readonly smtpUrl: string
  /** Base URL of a provider that answers without a model. */
  readonly demoUrl: string
}

/** Ports and folders of the edge. */
export interface EdgeOptions {
  readonly gatewayUrl: string
  /** Ports of the ingress and of the inbox's page; 0 for a free one. */
  readonly port: number
  readonly inboxPort: number
  /** The folder of mails. */
  readonly mailFolder: string
  /** The built SPA. */
  readonly webDir: string
}

/** Opens the ingress, the SPA's server, the mail inbox and the demo provider; `things` closes them. */
export async function openEdge(options: EdgeOptions, things: AsyncDisposableStack): Promise<Edge> {
  const demo = await startDemoProvider()
  things.defer(() => demo.close())
  const inbox = await startInbox({
    folder: options.mailFolder,
    port: options.inboxPort,
    log: createLogger('inbox', 'warn'),
    now: systemClock,
    newId,
  })
  things.defer(() => inbox.close())
  const port = options.port === 0 ? await freePort() : options.port
  const publicUrl = `http://localhost:${port}`
  const web = await startWebServer(options.webDir, publicUrl)
  things.defer(() => web.close(0))
  const ingress = await startIngress({ gatewayUrl: options.gatewayUrl, webUrl: web.url }, port)
  things.defer(() => ingress.close(0))
  return { publicUrl, inboxUrl: inbox.url, smtpUrl: inbox.smtpUrl, demoUrl: demo.url }
}
