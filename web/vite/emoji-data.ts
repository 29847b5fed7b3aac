import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import arabic from './emoji-ar.json' with { type: 'json' }
import groups from './emoji-groups.json' with { type: 'json' }

const require = createRequire(import.meta.url)
const emojibase = dirname(require.resolve('emojibase-data/package.json'))
/** Languages that emojibase has. */
const known = ['de', 'en', 'es', 'fr', 'ja', 'zh'] as const

interface EmojiEntry {
  readonly emoji: string
  readonly label: string
  readonly tags?: readonly string[]
}
interface EmojiMessages {
  readonly groups: readonly { readonly key: string; readonly message: string }[]
}

async function readData<Data>(locale: string, name: 'data' | 'messages'): Promise<Data> {
  return JSON.parse(await readFile(join(emojibase, locale, `${name}.json`), 'utf8')) as Data
}

/** The English data with Arabic names and tags (CLDR's, `name | tag | tag`); an emoji without them keeps the English ones. */
async function arabicData(): Promise<readonly EmojiEntry[]> {
  const texts: Readonly<Record<string, string>> = arabic
  return (await readData<readonly EmojiEntry[]>('en', 'data')).map((entry) => {
    const [label, ...tags] = texts[entry.emoji.replaceAll('\uFE0F', '')]?.split(' | ') ?? []
    return label === undefined ? entry : { ...entry, label, tags }
  })
}

/** Names of groups, for languages whose names in emojibase are missing or wrong. */
async function messagesOf(locale: string, source: string): Promise<EmojiMessages> {
  const messages = await readData<EmojiMessages>(source, 'messages')
  const own: Readonly<Record<string, string>> = groups[locale as keyof typeof groups] ?? {}
  return {
    ...messages,
    groups: messages.groups.map((group) => ({ ...group, message: own[group.key] ?? group.message })),
  }
}

/**
 * What is served below `/emoji/`, by its path. The picker has a list of languages of its own, without Arabic: it is told that the Arabic data is English data of
 * another place.
 */
const files: ReadonlyMap<string, () => Promise<unknown>> = new Map<string, () => Promise<unknown>>([
  ...known.flatMap((locale) => [
    [`${locale}/data.json`, () => readData(locale, 'data')] as const,
    [`${locale}/messages.json`, () => messagesOf(locale, locale)] as const,
  ]),
  ['ar/en/data.json', arabicData],
  ['ar/en/messages.json', () => messagesOf('ar', 'en')],
])

/** Puts the data of the emoji picker beside the application, at `/emoji/`, so that it is not fetched from a foreign host. */
export function emojiData(): Plugin {
  return {
    name: 'parley-emoji-data',
    configureServer(server) {
      for (const [name, read] of files) {
        server.middlewares.use(`/emoji/${name}`, (_, response, next) => {
          response.setHeader('content-type', 'application/json')
          read().then((data) => response.end(JSON.stringify(data)), next)
        })
      }
    },
    async generateBundle() {
      for (const [name, read] of files) {
        this.emitFile({ type: 'asset', fileName: `emoji/${name}`, source: JSON.stringify(await read()) })
      }
    },
  }
}
