import { useEffect } from 'react'
import { useParams } from 'react-router-dom'
import { AccountMenu } from '../features/account/index.ts'
import { HistoryKeys, HistorySidebar } from '../features/history/index.ts'
import { Frame } from '../shared/frame/index.ts'
import { prepareParts } from '../shared/lazy/index.ts'
import { LiveStatus } from '../shared/live/index.ts'
import { Brand, ErrorBoundary } from '../shared/ui/index.ts'
import { Conversation } from './conversation.tsx'

/** The conversation inside the frame, for new and saved chats. */
export function ChatScreen() {
  const chatId = useParams<{ chatId: string }>().chatId ?? null
  useEffect(() => prepareParts(), [])
  return (
    <Frame
      sidebar={
        <>
          <ErrorBoundary level="component">
            <HistorySidebar brand={<Brand />} chatId={chatId} />
          </ErrorBoundary>
          <AccountMenu />
        </>
      }
    >
      <LiveStatus />
      <HistoryKeys chatId={chatId} />
      <Conversation chatId={chatId} />
    </Frame>
  )
}
