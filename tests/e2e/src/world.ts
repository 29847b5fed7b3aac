import type { FakeProvider, ProviderScript } from '@parley/testing'
import type { BrowserContext } from 'playwright-core'
import { showcase } from './answers.ts'
import { adminPerson, asAdmin, configure, type Person, registerPerson } from './people.ts'
import { startTooledSystem, type TooledSystem } from './tooled-system.ts'

/** A running system in which every scene can be shown. */
export interface World extends TooledSystem {
  /** Has chats with titles of every kind. */
  readonly regular: Person
  /** Has an account and nothing else. */
  readonly newcomer: Person
  readonly banned: Person
  /** The super admin. */
  readonly admin: Person
  /** Id of the regular user's chat whose answer uses all of Markdown. */
  readonly showcaseId: string
  /** Removes the scripts that scenes gave the fakes. */
  reset(): void
}

const titles = [
  'Compare heat pumps for a 1960s house',
  'Rust lifetimes in iterators',
  'Übersetzung des Mietvertrags ins Englische, mit Anmerkungen',
  'شرح مبرهنة فيثاغورس للأطفال',
  '京都三日間の旅程',
  'Regex',
] as const

/** Starts a system of its own with people and chats in it. */
export async function openWorld(): Promise<World> {
  const tooled = await startTooledSystem()
  const { system, provider, search, quotes } = tooled
  const scripts = { search: search.script, quotes: quotes.script }
  const regular = await registerPerson(system, 'mara-k')
  const newcomer = await registerPerson(system, 'newcomer')
  const banned = await registerPerson(system, 'banned')
  const [showcaseId] = await writeChats(regular, provider)
  const admin = await asAdmin(system)
  await admin.api.patch(`/api/admin/users/${banned.id}`, { banned: true })
  await admin.close()
  await configure(system, { emailVerificationRequired: true })
  return {
    ...tooled,
    regular,
    newcomer,
    banned,
    admin: await adminPerson(system),
    showcaseId,
    reset() {
      provider.reset()
      search.script = scripts.search
      quotes.script = scripts.quotes
    },
  }
}

async function writeChats({ api }: Person, provider: FakeProvider): Promise<[string, ...string[]]> {
  const write = async (title: string, script: ProviderScript): Promise<string> => {
    provider.reply(script)
    const message = 'Which heat pump suits an uninsulated house of 140 m² from 1962? Show the cost as a table.'
    const accept = { headers: { accept: 'application/json' } }
    const { body } = await api.post('/api/chat', { message, model: 'v3' }, accept)
    const { chatId } = body as { chatId: string }
    await api.put(`/api/chat/history/${chatId}/rename`, { title })
    return chatId
  }
  for (const title of titles.slice(1)) await write(title, { text: 'Yes.' })
  const pinned = await write('Thesis outline, chapter three', { text: 'Yes.' })
  await api.put(`/api/chat/history/${pinned}/pin`, { pinned: true })
  return [await write(titles[0], showcase)]
}

/** Signs this person in to every page of a browser context. */
export async function signInBrowser(context: BrowserContext, { token, user }: Person): Promise<void> {
  await context.addInitScript(
    ([storedToken, storedUser]) => {
      localStorage.setItem('token', storedToken)
      localStorage.setItem('user', storedUser)
    },
    [token, JSON.stringify(user)] as const,
  )
}
