import { startDemoProvider } from '@parley/all-in-one/demo'
import { startInbox } from '@parley/all-in-one/inbox'
import { createLogger, freePort, newId, systemClock } from '@parley/kit'
import { startIngress } from './ingress.ts'
import { startWebServer } from './web-server.ts'

/** Where the system meets people, and what stands in for the world behind it. */
export interface Edge {
  readonly publicUrl: string
  readonly inboxUrl: string
  readonly smtpUrl: string
  /** Base URL of a provider that answers without a model. */
  readonly demoUrl: string
}

/** Where the parts of the edge listen and find their files. */
export interface EdgeOptions {
  readonly gatewayUrl: string
  /** Of the ingress and of the inbox's page; 0 takes a free one. */
  readonly port: number
  readonly inboxPort: number
  /** Folder where mails are kept. */
  readonly mailFolder: string
  /** Folder of the built SPA. */
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
  things.defer(() => web.close())
  const ingress = await startIngress({ gatewayUrl: options.gatewayUrl, webUrl: web.url }, port)
  things.defer(() => ingress.close())
  return { publicUrl, inboxUrl: inbox.url, smtpUrl: inbox.smtpUrl, demoUrl: demo.url }
}
