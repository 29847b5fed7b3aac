import { useParams } from 'react-router-dom'
import { SharedChatPage } from '../features/share/page/shared-chat-page.tsx'
import { LaterTexts } from '../shared/i18n/index.ts'

/** A shared chat for who comes from within the application, as after signing in for it. */
export function SharedChatScreen() {
  const { id = '' } = useParams()
  return (
    <LaterTexts part="share">
      <SharedChatPage key={id} id={id} />
    </LaterTexts>
  )
}
