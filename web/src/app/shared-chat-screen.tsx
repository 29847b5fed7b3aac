import { useParams } from 'react-router-dom'
import { SharedChatPage } from '../features/share/page/shared-chat-page.tsx'
import { LaterTexts } from '../shared/i18n/index.ts'

/** A shared chat opened from within the application, such as after signing in. */
export function SharedChatScreen() {
  const { id = '' } = useParams()
  return (
    <LaterTexts part="share">
      <SharedChatPage key={id} id={id} />
    </LaterTexts>
  )
}
