import type { CDPSession, Page } from 'playwright-core'

/** An API call that is paused until the interceptor decides about it. */
interface InterceptedCall {
  readonly method: string
  /** Parsed JSON; undefined when the call has no body. */
  readonly body: unknown
  /** Sends the call to the server and resolves to its response. */
  fetch(): Promise<{ readonly status: number; readonly json: unknown }>
}

/** The mocked response: JSON, or a body of another type. */
interface MockResponse {
  readonly status?: number
  readonly json?: unknown
  readonly body?: string | Buffer
  readonly contentType?: string
}

/** `continue` passes the call to an earlier interceptor or else the server, `abort` fails the connection, `hang` never responds. */
type Decision = MockResponse | 'continue' | 'abort' | 'hang'

type Handler = (call: InterceptedCall) => Decision | Promise<Decision>
interface Interceptor {
  readonly pattern: RegExp
  readonly handler: Handler
}
interface Interception {
  readonly session: CDPSession
  /** Newest first. */
  readonly interceptors: Interceptor[]
}
interface PausedRequest {
  readonly requestId: string
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly postData?: string
  }
}

const interceptions = new WeakMap<Page, Promise<Interception>>()

/**
 * Intercepts a page's calls to the API; the newest interceptor of a path decides first. Prefer it to `page.route`, which disables the page's
 * cache, so that the whole application is loaded and compiled again.
 * @param path after `/api`, including the query; `*` matches anything but a slash, `**` anything
 */
export async function intercept(page: Page, path: string, handler: Handler): Promise<void> {
  const opening = interceptions.get(page) ?? openInterception(page)
  interceptions.set(page, opening)
  const { interceptors } = await opening
  interceptors.unshift({ pattern: patternOf(path), handler })
}

/** Removes all interceptors of the page. */
export async function stopIntercepting(page: Page): Promise<void> {
  const interception = await interceptions.get(page)
  interception?.interceptors.splice(0)
}

function patternOf(path: string): RegExp {
  const parts = path.split(/(\*+)/).map((part) => {
    if (part.startsWith('*')) return part === '*' ? '[^/]*' : '.*'
    return part.replaceAll(/[\\^$.+?()[\]{}|]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('')}$`)
}

async function openInterception(page: Page): Promise<Interception> {
  const session = await page.context().newCDPSession(page)
  const interception: Interception = { session, interceptors: [] }
  session.on('Fetch.requestPaused', (paused) => {
    decide(interception, paused).catch((error: unknown) => {
      // The page cancelled the call or closed meanwhile.
      if (!page.isClosed() && !/Invalid InterceptionId/.test(String(error))) throw error
    })
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/*' }] })
  return interception
}

async function decide({ session, interceptors }: Interception, { requestId, request }: PausedRequest): Promise<void> {
  const decision = await decisionOn(interceptors, request)
  if (decision === 'hang') return
  if (decision === 'continue') {
    await session.send('Fetch.continueRequest', { requestId })
  } else if (decision === 'abort') {
    await session.send('Fetch.failRequest', { requestId, errorReason: 'Failed' })
  } else {
    const { status = 200, json, body = '', contentType } = decision
    const type = json === undefined ? contentType : 'application/json'
    await session.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: status,
      responseHeaders: type === undefined ? [] : [{ name: 'content-type', value: type }],
      body: Buffer.from(json === undefined ? body : JSON.stringify(json)).toString('base64'),
    })
  }
}

async function decisionOn(interceptors: readonly Interceptor[], request: PausedRequest['request']): Promise<Decision> {
  const { pathname, search } = new URL(request.url)
  const path = `${pathname}${search}`.replace(/^\/api/, '')
  const call = interceptedCall(request)
  for (const { pattern, handler } of [...interceptors]) {
    const decision = pattern.test(path) ? await handler(call) : 'continue'
    if (decision !== 'continue') return decision
  }
  return 'continue'
}

const interceptedCall = ({ method, url, headers, postData }: PausedRequest['request']): InterceptedCall => ({
  method,
  get body() {
    return postData === undefined ? undefined : JSON.parse(postData)
  },
  async fetch() {
    const response = await fetch(url, { method, headers, ...(postData !== undefined && { body: postData }) })
    return { status: response.status, json: await response.json() }
  },
})
