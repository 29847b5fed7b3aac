import type { ChatSummary } from '@parley/contracts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useNavigate } from 'react-router-dom'
import { changeListed, chatQuery, endpoints, historyQuery, messageOf, request } from '../../shared/api/index.ts'
import { type ExportFormat, exportChat } from '../../shared/chats/index.ts'
import { closeDrawer } from '../../shared/frame/index.ts'
import { inSequence, type MessageId, type Wording } from '../../shared/i18n/index.ts'
import { getSession, notifyTabs } from '../../shared/session/index.ts'
import { notify } from '../../shared/ui/index.ts'
import { inPortions } from './selection.ts'

const undoMs = 8000
const bulkLimit = 500

type Change = Parameters<typeof changeListed>[1]

/**
 * Applies a change to the list optimistically, and reverts it when the server refuses. Resolves to whether it succeeded.
 * @param before says before the error what has succeeded nevertheless
 */
async function optimistically(
  client: QueryClient,
  change: Change,
  call: () => Promise<unknown>,
  failed: MessageId,
  before: Wording = () => '',
): Promise<boolean> {
  const { queryKey } = historyQuery
  await client.cancelQueries({ queryKey })
  const shown = client.getQueriesData({ queryKey })
  changeListed(client, change)
  try {
    await call()
    return true
  } catch (error) {
    for (const [key, data] of shown) client.setQueryData(key, data)
    notify.error((now) => inSequence(before(now), messageOf(error, now(failed))))
    return false
  } finally {
    void client.invalidateQueries({ queryKey })
    notifyTabs({ userId: getSession().user?._id ?? '', chatId: null })
  }
}

/** Acts on at most `bulkLimit` chats. */
type BulkAct = (ids: string[]) => Promise<unknown>

/**
 * Takes chats off the list and acts on them, in portions, until one fails: its chats and those after it stay. Resolves to whether all succeeded.
 * @param texts after the act, with the number of chats, and for its failure
 */
async function takeOff(
  client: QueryClient,
  ids: readonly string[],
  act: BulkAct,
  { done, failed }: { readonly done: MessageId; readonly failed: MessageId },
): Promise<boolean> {
  for (const [nth, portion] of inPortions(ids, bulkLimit).entries()) {
    const taken = new Set(portion)
    const without: Change = (chats) => chats.filter(({ _id }) => !taken.has(_id))
    const before: Wording = (now) => (nth > 0 ? now(done, { count: nth * bulkLimit }) : '')
    if (!(await optimistically(client, without, () => act(portion), failed, before))) return false
  }
  return ids.length > 0
}

const patchChat =
  (id: string, patch: Partial<ChatSummary>): Change =>
  (chats) =>
    chats.map((chat) => (chat._id === id ? { ...chat, ...patch } : chat))

interface Context {
  readonly client: QueryClient
  /** Opens a new chat if the open one is deleted; returns how to return to it. */
  readonly leave: (deleted: (id: string) => boolean) => () => void
}

function renameChat({ client }: Context, chat: ChatSummary, title: string): void {
  const call = () => request(endpoints.rename, { params: { id: chat._id }, body: { title } })
  void optimistically(client, patchChat(chat._id, { title }), call, 'history.renameFailed').then(() =>
    client.invalidateQueries({ queryKey: chatQuery(chat._id).queryKey }),
  )
}

function pinChat({ client }: Context, chat: ChatSummary, pinned: boolean): void {
  const call = () => request(endpoints.pin, { params: { id: chat._id }, body: { pinned } })
  void optimistically(client, patchChat(chat._id, { pinned }), call, 'history.pinFailed')
}

async function archiveChats(context: Context, ids: readonly string[], archived: boolean): Promise<boolean> {
  const { client } = context
  const done = archived ? 'history.archived' : 'history.unarchived'
  const archive: BulkAct = async (portion) => {
    await request(endpoints.archive, { body: { ids: portion, archived } })
    for (const id of portion) void client.invalidateQueries({ queryKey: chatQuery(id).queryKey })
  }
  if (!(await takeOff(client, ids, archive, { done, failed: 'history.archiveFailed' }))) return false
  notify.info((now) => now(done, { count: ids.length }), {
    id: 'archived',
    duration: undoMs,
    action: { label: (now) => now('history.undo'), onClick: () => void archiveChats(context, ids, !archived) },
  })
  return true
}

async function restoreChat({ client }: Context, chat: ChatSummary, comeBack: () => void): Promise<void> {
  const call = () => request(endpoints.restore, { params: { id: chat._id } })
  const listed: Change = (chats, isTop) => (isTop && !chat.archived ? [chat, ...chats] : chats)
  if (await optimistically(client, listed, call, 'history.restoreFailed')) comeBack()
}

/** Whether a chat has a shared link; false when unknown. */
async function hasLink(chatId: string): Promise<boolean> {
  try {
    const { items } = await request(endpoints.shares, { query: { chatId } })
    return items.some((link) => link.chatId === chatId)
  } catch {
    // Only additional information: it must not prevent the deletion.
    return false
  }
}

async function removeChat(context: Context, chat: ChatSummary): Promise<void> {
  const { client, leave } = context
  let wasShared = false
  const call = async () => {
    wasShared = await hasLink(chat._id)
    await request(endpoints.remove, { params: { id: chat._id } })
  }
  const without: Change = (chats) => chats.filter(({ _id }) => _id !== chat._id)
  const comeBack = leave((id) => id === chat._id)
  if (!(await optimistically(client, without, call, 'history.deleteFailed'))) return comeBack()
  client.removeQueries({ queryKey: chatQuery(chat._id).queryKey })
  void client.invalidateQueries({ queryKey: ['shares'] })
  notify.info((now) => now(wasShared ? 'history.deletedShared' : 'history.deleted', { title: chat.title }), {
    id: `deleted:${chat._id}`,
    duration: undoMs,
    action: { label: (now) => now('history.undo'), onClick: () => void restoreChat(context, chat, comeBack) },
  })
}

async function removeChats({ client, leave }: Context, ids: readonly string[]): Promise<boolean> {
  const done = 'history.bulkDone'
  const remove: BulkAct = async (portion) => {
    // Before the call: the open chat would otherwise learn from its connection that it was deleted, as if elsewhere.
    const comeBack = leave((id) => portion.includes(id))
    await request(endpoints.bulkRemove, { body: { ids: portion } }).catch((error: unknown) => {
      comeBack()
      throw error
    })
  }
  if (!(await takeOff(client, ids, remove, { done, failed: 'history.bulkFailed' }))) return false
  notify.success((now) => now(done, { count: ids.length }))
  return true
}

async function clearChats({ client, leave }: Context): Promise<boolean> {
  const call = () => request(endpoints.clearChats)
  const comeBack = leave(() => true)
  if (await optimistically(client, () => [], call, 'history.clearFailed')) return true
  comeBack()
  return false
}

async function saveChat(chat: ChatSummary, format: ExportFormat): Promise<void> {
  try {
    await exportChat(chat._id, format)
  } catch (error) {
    notify.error((now) => messageOf(error, now('history.exportFailed')))
  }
}

/** The actions on the chats of the list, given the open chat `chatId`; null for a new chat. */
export function useHistoryActions(chatId: string | null) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMemo(() => {
    const leave = (deleted: (id: string) => boolean) => {
      if (chatId === null || !deleted(chatId)) return () => undefined
      navigate('/', { replace: true })
      // Unless another chat was opened meanwhile.
      return () => void (window.location.pathname === '/' && navigate(`/c/${chatId}`, { replace: true }))
    }
    const context = { client, leave }
    return {
      rename: (chat: ChatSummary, title: string) => renameChat(context, chat, title),
      pin: (chat: ChatSummary, pinned: boolean) => pinChat(context, chat, pinned),
      /** Downloads a chat as a file. */
      export: (chat: ChatSummary, format: ExportFormat) => void saveChat(chat, format),
      /** Opens a chat and prints all of it. */
      print: (chat: ChatSummary) => {
        closeDrawer()
        navigate(`/c/${chat._id}?print=1`)
      },
      /** Opens a chat with its share dialog. */
      share: (chat: ChatSummary) => {
        closeDrawer()
        navigate(`/c/${chat._id}?share=1`)
      },
      /** Archives or unarchives chats, with Undo; resolves to whether it succeeded. */
      archive: (ids: readonly string[], archived: boolean) => archiveChats(context, ids, archived),
      /** Deletes a chat, with Undo for 8 s. */
      remove: (chat: ChatSummary) => void removeChat(context, chat),
      /** Deletes chats permanently; resolves to whether it succeeded. */
      removeMany: (ids: readonly string[]) => removeChats(context, ids),
      /** Deletes all chats permanently; resolves to whether it succeeded. */
      clear: () => clearChats(context),
    }
  }, [client, navigate, chatId])
}

export type HistoryActions = ReturnType<typeof useHistoryActions>
