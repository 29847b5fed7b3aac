import { useQueryClient } from '@tanstack/react-query'
import { archiveQuery, chatQuery, historyQuery, listedChats } from '../../shared/api/index.ts'
import { useShortcuts } from '../../shared/keyboard/index.ts'
import { useHistoryActions } from './use-history-actions.ts'

type Listed = Parameters<typeof listedChats>[0]

/** Shortcuts that act on the open chat like its row in the list, which need not be visible. */
export function ShownChatKeys({ chatId }: { chatId: string }) {
  const client = useQueryClient()
  const { remove } = useHistoryActions(chatId)
  const findShown = () => {
    const lists = [historyQuery, archiveQuery].map(({ queryKey }) => client.getQueryData<Listed>(queryKey))
    const listed = lists.flatMap((list) => (list ? listedChats(list) : [])).find(({ _id }) => _id === chatId)
    const opened = client.getQueryData(chatQuery(chatId).queryKey)
    return listed ?? (opened && { ...opened, messageCount: opened.messages.length, pinned: false })
  }
  useShortcuts({
    deleteChat: () => {
      const chat = findShown()
      if (chat) remove(chat)
      return chat !== undefined
    },
  })
  return null
}
