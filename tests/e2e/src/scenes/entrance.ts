import type { Page } from 'playwright-core'
import { password } from '../people.ts'
import type { Scene } from './scene.ts'

async function register(page: Page, name: string): Promise<void> {
  await page.goto('/register')
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('E-mail').fill(`${name}@parley.test`)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Repeat password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor()
}

/** The way in. */
export const entrance: Scene[] = [
  {
    name: 'login',
    show: async (page) => {
      await page.goto('/login')
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    },
  },
  {
    name: 'login-refused',
    show: async (page) => {
      await page.goto('/login')
      await page.getByLabel('Username or e-mail').fill('nobody')
      await page.getByLabel('Password', { exact: true }).fill('not my password')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('main').getByText('Login failed').waitFor()
    },
  },
  {
    name: 'register',
    show: async (page) => {
      await page.goto('/register')
      await page.getByLabel('Repeat password').waitFor()
    },
  },
  {
    name: 'register-mistakes',
    show: async (page) => {
      await page.goto('/register')
      await page.getByLabel('Username').fill('a b')
      await page.getByLabel('E-mail').fill('nowhere')
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByText('Please enter a valid email address').waitFor()
    },
  },
  { name: 'verification', show: (page) => register(page, `unverified${Date.now()}`) },
  {
    name: 'verification-address',
    show: async (page) => {
      await register(page, `unverified${Date.now()}`)
      await page.getByRole('button', { name: 'Change e-mail' }).click()
      await page.getByLabel('New e-mail').waitFor()
    },
  },
]
