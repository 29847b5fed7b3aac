import { ChatPage, type ChatPaths } from '../features/chat/index.ts'
import { CreditMeter, InsufficientCredits } from '../features/credits/index.ts'
import { ModelPicker, useModelChoice } from '../features/models/index.ts'
import { routes } from './routes.ts'

const paths: ChatPaths = {
  newChat: routes.chat.getHref(),
  chat: routes.savedChat.getHref,
  signIn: routes.login.getHref(),
  register: routes.register.getHref(),
}

/** The chat with the model that was picked for it and what is left to pay for it. `chatId` is null for a new chat. */
export function Conversation({ chatId }: { chatId: string | null }) {
  const choice = useModelChoice()
  return (
    <ChatPage
      chatId={chatId}
      model={choice.model?.id ?? null}
      modelsLoading={choice.status === 'loading'}
      modelPicker={<ModelPicker choice={choice} />}
      meter={<CreditMeter price={choice.model?.creditsPerMessage ?? null} />}
      noCredits={<InsufficientCredits />}
      paths={paths}
    />
  )
}
