import { authRoutes, chatRoutes, type SettingsPatch, type SignInAnswer } from '@parley/contracts'
import { type ApiCaller, type ApiClient, apiClient, waitUntil } from '@parley/testing'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { SampleFile } from './sample-files.ts'
import type { System } from './system.ts'

export const password = 'correct horse battery'

/** The newest code mailed to this address. */
export function codeFor(system: System, email: string): Promise<string> {
  const inbox = apiClient(system.inboxUrl)
  return waitUntil(async () => {
    const { body } = await inbox.get(`/messages?to=${encodeURIComponent(email)}`)
    // Later mails may be about something else.
    return (body as { text: string }[])
      .map(({ text }) => /\b\d{6}\b/.exec(text)?.[0])
      .find((code) => code !== undefined)
  }, `a code for ${email}`).finally(() => inbox.close())
}

/** Registers in the form with the code from the inbox; ends in an empty chat. */
export async function registerInBrowser(page: Page, system: System, username: string): Promise<void> {
  const email = `${username}@parley.test`
  await page.goto('/register')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await page.getByLabel('Digit 1 of 6').click()
  await page.keyboard.type(await codeFor(system, email))
  await composer(page).waitFor()
}

export const composer = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
/** Shown while an answer is generated. */
export const stopButton = (page: Page) => page.getByRole('button', { name: 'Stop generating' })
export const answers = (page: Page) => page.getByRole('article', { name: 'Answer' })

/** The files attached in the composer. */
export const attachmentsOf = (page: Page) => page.locator('form').getByRole('list', { name: 'Attachments' })

/** Chooses a model in the list by its name. */
export async function chooseModel(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Model:/ }).click()
  await page.getByRole('combobox', { name: 'Search models' }).fill(name)
  await page.getByRole('option', { name }).click()
}

/** Resolves once the page opened next has its live connection. Call it before opening the page. */
export function connectedLive(page: Page): Promise<void> {
  return new Promise((resolve) => {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => String(payload).startsWith('40/realtime') && resolve()),
    )
  })
}

/** Sends a message; resolves once it is in the thread. */
export async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await composer(page).press('Enter')
  await page.getByRole('article').filter({ hasText: text }).first().waitFor()
}

/** Types another text for the last question into its editor, which it returns. */
export async function rewrite(page: Page, text: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Edit message' }).last().click()
  const field = page.getByRole('textbox', { name: 'Edit message' })
  await field.fill(text)
  return field
}

/** Waits until an answer with this text is complete. */
export async function hear(page: Page, text: string): Promise<void> {
  await answers(page).filter({ hasText: text }).last().waitFor()
  await stopButton(page).waitFor({ state: 'detached' })
}

/** The HTTP API, signed in as the admin. */
export async function asAdmin(system: System): Promise<{ api: ReturnType<ApiClient['with']>; close(): Promise<void> }> {
  const client = apiClient(system.url)
  const { body } = await client.post('/api/auth/login', {
    identifier: system.admin.username,
    password: system.admin.password,
  })
  return {
    api: client.with({ authorization: `Bearer ${(body as { token: string }).token}` }),
    close: () => client.close(),
  }
}

/** The admin, for signing in to a browser. */
export async function adminPerson(system: System): Promise<Person> {
  const client = apiClient(system.url)
  const { username: identifier, password: secret } = system.admin
  const { body } = await client.post('/api/auth/login', { identifier, password: secret })
  const { token, user } = body as Extract<SignInAnswer, { emailVerificationRequired: false }>
  return { id: user._id, token, user, api: client.with({ authorization: `Bearer ${token}` }) }
}

/** Changes settings as the admin. The limits of web and plan are raised by default, since tests are faster than people. */
export async function configure(system: System, patch: SettingsPatch = {}): Promise<void> {
  const admin = await asAdmin(system)
  const rateLimits = { web: { windowMinutes: 1, maxRequests: 100_000 } }
  const { status } = await admin.api.patch('/api/admin/settings', { rateLimits, ...patch })
  const plan = await admin.api.patch('/api/admin/plans/free', { requestsPerWindow: 100_000 })
  await admin.close()
  expect([status, plan.status]).toEqual([200, 200])
}

/** A user with an account, and the sign-in that their browser stores. */
export interface Person {
  readonly id: string
  readonly token: string
  readonly user: unknown
  readonly api: ApiCaller
}

/** Registers over HTTP, with the code from the inbox where addresses are verified. */
export async function registerPerson(system: System, username: string): Promise<Person> {
  const client = apiClient(system.url)
  const email = `${username}@parley.test`
  const { status, body, text, headers } = await client.post('/api/auth/register', { username, email, password })
  if (status >= 300) throw new Error(`register ${username}: ${status} ${text}`)
  const answer = body as
    | Extract<SignInAnswer, { emailVerificationRequired: false }>
    | { emailVerificationRequired: true }
  const { token, user } = answer.emailVerificationRequired
    ? await verify(system, client, { username, email, cookie: String(headers['set-cookie']).split(';')[0] ?? '' })
    : answer
  return { id: user._id, token, user, api: client.with({ authorization: `Bearer ${token}` }) }
}

async function verify(
  system: System,
  client: ApiClient,
  { username, email, cookie }: { username: string; email: string; cookie: string },
) {
  const code = await codeFor(system, email)
  const { body } = await client.call(authRoutes.verifyEmail, { headers: { cookie }, body: { username, code } })
  return body
}

/** Signs in every document that this page loads, until the result is disposed of; what was stored by then stays. */
export function signInPage(page: Page, { token, user }: Person) {
  return page.addInitScript(
    ([storedToken, storedUser]) => {
      localStorage.setItem('token', storedToken)
      localStorage.setItem('user', storedUser)
    },
    [token, JSON.stringify(user)] as const,
  )
}

/** Opens a path signed in as this person. As after the form, a sign-out lasts. */
export async function enter(page: Page, person: Person, path = '/'): Promise<void> {
  const signIn = await signInPage(page, person)
  await page.goto(path)
  await signIn.dispose()
}

/** Uploads files one after another, so that the last is the newest, and sends them in one message of a new chat; resolves once it is answered. */
export async function sendFiles({ api }: Person, files: readonly SampleFile[]): Promise<void> {
  const attachments: { id: string }[] = []
  for (const { name, buffer } of files) {
    const { body } = await api.call(chatRoutes.upload, { raw: buffer, headers: { 'x-file-name': name } })
    attachments.push((body as unknown as { attachment: { id: string } }).attachment)
  }
  const body = { message: 'Look at these', model: 'reader-6', attachments: attachments.map(({ id }) => ({ id })) }
  await (await api.open('POST', '/api/chat', { body })).body.text()
}
