import { Brain, Info, Share2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { FrameHeader } from '../../../shared/frame/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { IconButton } from '../../../shared/ui/index.ts'
import type { ChatSession } from '../thread/session/chat-session.ts'
import { ChatTitle } from './chat-title.tsx'
import type { PageCommands } from './use-page-commands.ts'

interface Props {
  readonly session: ChatSession
  readonly modelPicker: ReactNode
  readonly commands: PageCommands
  /** The chat is saved, and its user may make a link to it. */
  readonly shareable: boolean
}

/** The header line: the model, the chat's title, and what can be opened beside the chat. */
export function ChatHeader({ session, modelPicker, commands, shareable }: Props) {
  const { t } = useText()
  return (
    <FrameHeader>
      {/* On a phone two lines: the model; the provider's notice, which is cut for the title alone, and the title. */}
      <div className="flex min-w-0 flex-1 flex-col max-md:grid max-md:grid-cols-[auto_minmax(0,1fr)] max-md:items-center max-md:has-[>h1]:[--notice-width:6.5rem] lg:contents">
        <div className="flex min-w-0 max-md:contents lg:flex-1">{modelPicker}</div>
        <ChatTitle session={session} />
      </div>
      <div className="flex justify-end gap-0.5 lg:flex-1 pointer-coarse:gap-2">
        <IconButton label={t('memory.open')} aria-haspopup="dialog" onClick={commands.memory}>
          <Brain className="size-4.5" />
        </IconButton>
        {shareable && (
          <IconButton label={t('sharing.open')} aria-haspopup="dialog" onClick={commands.share}>
            <Share2 className="size-4.5" />
          </IconButton>
        )}
        <IconButton label={t('info.open')} aria-haspopup="dialog" onClick={commands.info}>
          <Info className="size-4.5" />
        </IconButton>
      </div>
    </FrameHeader>
  )
}
