import { dirname, join } from 'node:path'

/** What a chunking function is told of the modules. */
interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[]; readonly code: string | null } | null
}

/** Where first visits begin: in the application, the chat in it, its other screens; and where a shared chat is shown. */
const starts = {
  app: ['main.tsx'],
  chat: ['app/chat-screen.tsx'],
  screens: ['profile-screen', 'admin-screen', 'docs-screen', 'privacy-screen'].map((name) => `app/${name}.tsx`),
  login: ['features/auth/login-page.tsx'],
  ways: ['login-page', 'register-page'].map((name) => `features/auth/${name}.tsx`),
  shared: ['features/share/page/shared-body.tsx', 'shared/markdown/markdown-answer.tsx'],
  thread: ['features/chat/thread/view/thread-view.tsx'],
} as const

type NameChunk = (id: string, graph: Graph) => string | null

const chunks = ['app', 'chat', 'frame', 'forms', 'login', 'answers', 'common'] as const
type ChunkName = (typeof chunks)[number]

/**
 * Names the chunk of a module that a first visit needs: `app` holds what every screen begins with, `chat` what the conversation adds, and what it shares with
 * others has a chunk by whom it shares it with; `login` is what the form to sign in adds, and `common` what the thread shares with other parts, such as icons. A
 * few files are smaller by a tenth, and loaded with less work, than the dozens that the borders of all screens would cut them into. Every other module goes where
 * the bundler puts it.
 * @param root the folder of the sources, with a slash at its end
 */
export function firstChunks(root: string): NameChunk {
  return naming(root, starts, (isIn, id): ChunkName | null => {
    if (isIn('app')) return 'app'
    if (!isIn('chat')) {
      if (isIn('login')) return 'login'
      return isIn('thread') && !id.startsWith(`${root}features/`) ? 'common' : null
    }
    if (isIn('ways')) return 'forms'
    if (isIn('shared')) return 'answers'
    return isIn('screens') ? 'frame' : 'chat'
  })
}

export const sharedChunkName = 'shared-chat'

/** The names of the chunks that a first visit needs. */
export const firstChunkNames: ReadonlySet<string> = new Set([...chunks, sharedChunkName])

/** Names the one chunk of all that shows a shared chat; as {@link firstChunks}. */
export function sharedChunk(root: string): NameChunk {
  return naming(root, { page: ['app/shared-chat.tsx', ...starts.shared] }, (isIn) =>
    isIn('page') ? sharedChunkName : null,
  )
}

/** @param nameOf names the chunk of a module by the starts that it is reached from */
function naming<Start extends string>(
  root: string,
  from: Readonly<Record<Start, readonly string[]>>,
  nameOf: (isIn: (start: Start) => boolean, id: string) => string | null,
): NameChunk {
  let reached: ReadonlyMap<string, ReadonlySet<string>> | null = null
  return (id, graph) => {
    reached ??= new Map(
      Object.entries<readonly string[]>(from).map(([name, paths]) => [
        name,
        new Set(paths.flatMap((path) => [...reachedFrom(root + path, graph)])),
      ]),
    )
    return nameOf((start) => reached?.get(start)?.has(id) ?? false, id)
  }
}

/** A module and all that it imports at once, however far away; of a module that passes on what others export, only what is asked of it by name. */
function reachedFrom(start: string, graph: Graph): ReadonlySet<string> {
  const reached = new Set<string>()
  const asked = new Set<string>()
  const visit = (id: string, wanted: readonly string[]): void => {
    const { code, importedIds } = graph.getModuleInfo(id) ?? { code: '', importedIds: [] }
    const passed = passedOnBy(id, code ?? '')
    const question = passed === null ? id : `${id}?${wanted}`
    if (asked.has(question)) return
    asked.add(question)
    reached.add(id)
    const own = namesIn(code ?? '')
    const names = [...own, 'default', ...(passed === null ? [] : wanted)]
    for (const imported of importedIds) {
      const offered = passed?.get(imported)
      if (offered === undefined || offered.some((name) => wanted.includes(name) || own.includes(name)))
        visit(imported, names)
    }
  }
  visit(start, [])
  return reached
}

/** The neighbours whose exports a module passes on, each with the names it gives them; null of a module that passes on nothing. */
function passedOnBy(id: string, code: string): ReadonlyMap<string, readonly string[]> | null {
  if (!/^export\s*(\*|\{[^}]*\})\s*from/m.test(code)) return null
  const passed = new Map<string, readonly string[]>()
  for (const [, names = '', from = ''] of code.matchAll(/^export\s*\{([^}]*)\}\s*from\s*["'](\.[^"']+)["']/gm)) {
    const neighbour = join(dirname(id), from)
    passed.set(neighbour, [...(passed.get(neighbour) ?? []), ...namesOf(names, 'last')])
  }
  return passed
}

/** What a module imports by name. */
const namesIn = (code: string): string[] =>
  [...code.matchAll(/^import\s*(?:\w+\s*,\s*)?\{([^}]*)\}/gm)].flatMap(([, names = '']) => namesOf(names, 'first'))

/** The names of `{ name as other }` in a module: the first is that of its source, the last its own. */
function namesOf(specifiers: string, which: 'first' | 'last'): string[] {
  const names = specifiers.split(',').map((each) => each.trim().split(/\s+as\s+/))
  return names.map((each) => each.at(which === 'first' ? 0 : -1) ?? '')
}
