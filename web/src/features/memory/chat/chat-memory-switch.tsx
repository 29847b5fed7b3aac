import type { ChatDetail } from '@parley/contracts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { chatQuery, endpoints, messageOf, request } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Switch } from '../../../shared/ui/index.ts'

/** The chat with memory switched; on is represented by the missing field. */
function withMemory({ memoryEnabled: _, ...chat }: ChatDetail, enabled: boolean): ChatDetail {
  return enabled ? chat : { ...chat, memoryEnabled: false }
}

/** Whether memories are used and found in a chat; unavailable for a new chat. */
export function ChatMemorySwitch({ chatId }: { chatId: string | null }) {
  const { t } = useText()
  const client = useQueryClient()
  const { data } = useQuery({ ...chatQuery(chatId ?? ''), enabled: chatId !== null })
  const change = useMutation({
    mutationFn: (enabled: boolean) =>
      request(endpoints.setChatMemory, { params: { id: chatId ?? '' }, body: { enabled } }),
    onSuccess: ({ enabled }) =>
      client.setQueryData(chatQuery(chatId ?? '').queryKey, (chat) => chat && withMemory(chat, enabled)),
    onSettled: () => client.invalidateQueries({ queryKey: chatQuery(chatId ?? '').queryKey }),
  })
  const stored = data?.memoryEnabled ?? true
  const hint = chatId === null ? t('memory.chat.new') : t('memory.chat.hint')
  return (
    <div className="rounded-card border border-line">
      <Switch
        label={t('memory.chat.label')}
        hint={change.isError ? messageOf(change.error, t('memory.chat.failed')) : hint}
        checked={change.isPending ? change.variables : stored}
        disabled={chatId === null || (data === undefined && !change.isPending)}
        onChange={(enabled) => change.mutate(enabled)}
      />
    </div>
  )
}
