import type { Memory, MemoryCategory, MemorySuggestion } from '@parley/contracts'
import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { endpoints, memoryKey, messageOf, request, unlessGone } from '../../shared/api/index.ts'
import type { MessageId } from '../../shared/i18n/index.ts'
import { saveFile } from '../../shared/save-file.ts'
import { addMemory } from './add-memory.ts'
import { forEachOf } from './in-portions.ts'
import type { MemoryValues } from './memory-form.tsx'
import type { Announce } from './panel/notice.tsx'
import { allMemories, listKeys } from './queries.ts'
import { memoryFileText } from './transfer/memory-file.ts'

type Pages = InfiniteData<{ readonly items: readonly { readonly id: string }[]; readonly nextCursor: string | null }>

/** Actions on memories and suggestions. Changes are optimistic, and `announce` reports them with undo. */
export function useMemoryActions(announce: Announce) {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: memoryKey })
  const fail = (error: unknown, fallback: MessageId) => {
    announce({ words: (t) => messageOf(error, t(fallback)), failed: true })
    void refresh()
  }
  /** Shows an error; resolves to whether there was none. */
  const attempt = async (fallback: MessageId, work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work()
      await refresh()
      return true
    } catch (error) {
      fail(error, fallback)
      return false
    }
  }
  const takeOut = (queryKey: readonly unknown[], gone: ReadonlySet<string>) =>
    client.setQueriesData<Pages>(
      { queryKey },
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page) => ({ ...page, items: page.items.filter(({ id }) => !gone.has(id)) })),
        },
    )
  const restore = async (memories: readonly Pick<Memory, 'id'>[]) => {
    const { error } = await forEachOf(memories, ({ id }) => request(endpoints.restoreMemory, { params: { id } }))
    if (error) return fail(error, 'memory.restore.failed')
    await refresh()
    announce({ words: (t) => t('memory.restored', { count: memories.length }) })
  }
  return {
    add: async (values: MemoryValues) => {
      const { memory, isNew } = await addMemory(values)
      announce(
        isNew
          ? { words: (t) => t('memory.added'), undo: () => removeForUndo(memory) }
          : { words: (t) => t('memory.known') },
      )
      await refresh()
    },
    update: async ({ id }: Memory, values: MemoryValues) => {
      await request(endpoints.changeMemory, { params: { id }, body: values })
      announce({ words: (t) => t('memory.changed') })
      await refresh()
    },
    changeCategory: async (memories: readonly Memory[], category: MemoryCategory) => {
      const change = ({ id }: Memory) => request(endpoints.changeMemory, { params: { id }, body: { category } })
      const { done, error } = await forEachOf(memories, change)
      if (error) return fail(error, 'memory.change.failed')
      await refresh()
      announce({ words: (t) => t('memory.changedMany', { count: done.length }) })
    },
    remove: async (memories: readonly Pick<Memory, 'id'>[]) => {
      takeOut(listKeys.memories, new Set(memories.map(({ id }) => id)))
      const remove = ({ id }: Pick<Memory, 'id'>) =>
        request(endpoints.removeMemory, { params: { id } }).catch(unlessGone)
      const { done, error } = await forEachOf(memories, remove)
      if (error) fail(error, 'memory.remove.failed')
      else {
        announce({ words: (t) => t('memory.removed', { count: done.length }), undo: () => restore(done) })
        void refresh()
      }
    },
    removeForGood: async ({ id }: Pick<Memory, 'id'>) => {
      const query = { forever: 'true' }
      const remove = () => request(endpoints.removeMemory, { params: { id }, query }).catch(unlessGone)
      if (await attempt('memory.remove.failed', remove)) announce({ words: (t) => t('memory.removedForGood') })
    },
    clear: async () => {
      let count = 0
      const clear = async () => {
        count = (await request(endpoints.clearMemories)).cleared
      }
      if (!(await attempt('memory.clear.failed', clear))) return
      announce({ words: (t) => t('memory.cleared', { count }), undo: restoreCleared })
    },
    restoreCleared,
    exportAll: async () => {
      try {
        const memories = await allMemories()
        saveFile('memories.json', memoryFileText(memories), 'application/json')
        announce({ words: (t) => t('memory.exported', { count: memories.length }) })
      } catch (error) {
        fail(error, 'memory.export.failed')
      }
    },
    approve: async ({ id }: MemorySuggestion, values?: MemoryValues) => {
      await request(endpoints.approveMemory, { params: { id }, body: values ?? {} }).catch(unlessGone)
      takeOut(listKeys.suggestions, new Set([id]))
      announce({ words: (t) => t('memory.approved', { count: 1 }) })
      void refresh()
    },
    dismiss: async ({ id }: MemorySuggestion) => {
      takeOut(listKeys.suggestions, new Set([id]))
      const dismiss = () => request(endpoints.dismissMemory, { params: { id } }).catch(unlessGone)
      if (await attempt('memory.dismiss.failed', dismiss))
        announce({ words: (t) => t('memory.dismissed', { count: 1 }) })
    },
    approveAll: () =>
      attempt('memory.approve.failed', async () => {
        const { approved } = await request(endpoints.approveMemories)
        announce({ words: (t) => t('memory.approved', { count: approved }) })
      }),
    dismissAll: () =>
      attempt('memory.dismiss.failed', async () => {
        const { dismissed } = await request(endpoints.dismissMemories)
        announce({ words: (t) => t('memory.dismissed', { count: dismissed }) })
      }),
    /** Shows an error that is shown nowhere else. */
    fail,
  }

  async function removeForUndo({ id }: Memory): Promise<void> {
    const remove = () => request(endpoints.removeMemory, { params: { id } }).catch(unlessGone)
    if (await attempt('memory.remove.failed', remove)) announce({ words: (t) => t('memory.removed', { count: 1 }) })
  }

  async function restoreCleared(): Promise<void> {
    let count = 0
    const work = async () => {
      count = (await request(endpoints.restoreMemories)).restored
    }
    if (!(await attempt('memory.restore.failed', work))) return
    announce({ words: (t) => (count === 0 ? t('memory.restore.nothing') : t('memory.restored', { count })) })
  }
}

export type MemoryActions = ReturnType<typeof useMemoryActions>
