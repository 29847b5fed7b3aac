import { useText } from '../../../shared/i18n/index.ts'
import { Dialog } from '../../../shared/ui/index.ts'
import { MemoryPanel, type MemoryPanelProps } from '../panel/memory-panel.tsx'
import { ChatMemorySwitch } from './chat-memory-switch.tsx'

interface Props extends Omit<MemoryPanelProps, 'onLeave'> {
  readonly chatId: string | null
  readonly onClose: () => void
}

/** The panel above a chat, with the chat's own switch. */
export function MemoryDialog({ chatId, onClose, ...panel }: Props) {
  const { t } = useText()
  return (
    <Dialog open wide onClose={onClose} title={t('memory.title')}>
      <div className="min-h-[min(34rem,70dvh)]">
        <div className="mb-4">
          <ChatMemorySwitch chatId={chatId} />
        </div>
        <MemoryPanel {...panel} onLeave={onClose} />
      </div>
    </Dialog>
  )
}
