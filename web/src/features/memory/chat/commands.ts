import type { Memory } from '@parley/contracts'
import type { QueryClient } from '@tanstack/react-query'
import { endpoints, memoryKey, messageOf, request, unlessGone } from '../../../shared/api/index.ts'
import type { MessageId } from '../../../shared/i18n/index.ts'
import { notify } from '../../../shared/ui/index.ts'
import { addMemory } from '../add-memory.ts'

const toast = 'memory'
const undoMs = 8_000

async function attempt(client: QueryClient, fallback: MessageId, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    notify.error((now) => messageOf(error, now(fallback)), { id: toast })
    return false
  } finally {
    void client.invalidateQueries({ queryKey: memoryKey })
  }
}

/** `/remember TEXT`: stores a text, with Undo. Resolves to whether it succeeded; a failure is shown. */
export function remember(client: QueryClient, text: string): Promise<boolean> {
  return attempt(client, 'memory.add.failed', async () => {
    const { memory, isNew } = await addMemory({ text })
    if (!isNew) return notify.info((now) => now('memory.known'), { id: toast })
    notify.success((now) => now('memory.added'), {
      id: toast,
      duration: undoMs,
      action: {
        label: (now) => now('memory.undo'),
        onClick: () =>
          void attempt(client, 'memory.remove.failed', () =>
            request(endpoints.removeMemory, { params: { id: memory.id } }).catch(unlessGone),
          ),
      },
    })
  })
}

/** Removes a memory, with Undo. Resolves to whether it succeeded; a failure is shown. */
export function forget(client: QueryClient, { id, text }: Pick<Memory, 'id' | 'text'>): Promise<boolean> {
  return attempt(client, 'memory.remove.failed', async () => {
    await request(endpoints.removeMemory, { params: { id } }).catch(unlessGone)
    notify.success((now) => now('memory.forgotten', { text: text.length > 80 ? `${text.slice(0, 80)}…` : text }), {
      id: toast,
      duration: undoMs,
      action: {
        label: (now) => now('memory.undo'),
        onClick: () =>
          void attempt(client, 'memory.restore.failed', () => request(endpoints.restoreMemory, { params: { id } })),
      },
    })
  })
}

/** The result of `/forget TEXT`: the one memory to remove; several, of which the user must choose; or none. */
export type Found = { readonly type: 'one'; readonly memory: Memory } | { readonly type: 'many' | 'none' }

/** Chooses the memory that `/forget` removes: the one with exactly this text, else the only match. */
export function decideForget(text: string, memories: readonly Memory[]): Found {
  const same = (one: string): string => one.trim().toLocaleLowerCase()
  const exact = memories.filter((memory) => same(memory.text) === same(text))
  const [memory] = exact.length === 1 ? exact : memories
  if (!memory) return { type: 'none' }
  return exact.length === 1 || memories.length === 1 ? { type: 'one', memory } : { type: 'many' }
}

/** `/forget TEXT`: removes the matching memory. Resolves to `many` if the user must choose, and to null on failure. */
export async function forgetByText(client: QueryClient, text: string): Promise<'done' | 'many' | null> {
  let items: readonly Memory[] = []
  const search = async () => {
    items = (await request(endpoints.memories, { query: { query: text.slice(0, 200), limit: 20 } })).items
  }
  if (!(await attempt(client, 'memory.failed', search))) return null
  const found = decideForget(text, items)
  if (found.type === 'many') return 'many'
  if (found.type === 'one') return (await forget(client, found.memory)) ? 'done' : null
  notify.info((now) => now('memory.forget.none', { text: text.slice(0, 80) }), { id: toast })
  return 'done'
}
