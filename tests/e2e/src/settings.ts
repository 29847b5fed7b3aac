import { apiClient, waitUntil } from '@parley/testing'
import type { Page } from 'playwright-core'
import { button } from './entrance.ts'
import { codeFor, password } from './people.ts'
import type { System } from './system.ts'

/** Submits the sign-in form on a fresh page; does not wait for the result. */
export async function signIn(page: Page, username: string, secret = password): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Username or email').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await button(page, 'Sign in').click()
}

/** Confirms the address with the mailed code, in the settings, which must be open. */
export async function confirmAddress(page: Page, system: System, address: string): Promise<void> {
  await button(page, 'Verify').click()
  const form = page.getByRole('form', { name: 'Check your email' })
  await form.waitFor()
  await form.getByLabel('Verification code').fill(await codeFor(system, address))
  await form.getByRole('button', { name: 'Verify', exact: true }).click()
  await page.getByText('Verified', { exact: true }).waitFor()
}

/** The match of the pattern in the newest mail to this address that has one. */
export async function mailTo(system: System, to: string, pattern: RegExp): Promise<string> {
  const inbox = apiClient(system.inboxUrl)
  return await waitUntil(async () => {
    const { body } = await inbox.get(`/messages?to=${encodeURIComponent(to)}`)
    return (body as { text: string }[]).map(({ text }) => pattern.exec(text)?.[0]).find((found) => found !== undefined)
  }, `a mail to ${to} with ${pattern}`).finally(() => inbox.close())
}
