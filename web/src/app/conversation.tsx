import { useNavigate } from 'react-router-dom'
import { ChatPage, type ChatPaths } from '../features/chat/index.ts'
import { CreditMeter, CreditWarning, InsufficientCredits } from '../features/credits/index.ts'
import { useChatMemory } from '../features/memory/index.ts'
import { ModelPicker, useImageModel, useModelChoice } from '../features/models/index.ts'
import { Palette, type PalettePlaces } from '../features/palette/index.ts'
import { lazyPart } from '../shared/lazy/index.ts'
import { routes } from './routes.ts'

const InfoPanel = lazyPart(async () => (await import('../features/info/index.ts')).InfoPanel)

const ShareDialog = lazyPart(async () => (await import('../features/share/index.ts')).ShareDialog)

const paths: ChatPaths = {
  newChat: routes.chat.getHref(),
  chat: routes.savedChat.getHref,
  signIn: routes.login.getHref(),
  register: routes.register.getHref(),
}

const usagePath = routes.usage.getHref()

const guestPlaces: PalettePlaces = [
  { name: 'docs', path: routes.docs.getHref() },
  { name: 'privacy', path: routes.privacy.getHref() },
]
const places: PalettePlaces = [
  { name: 'profile', path: routes.profile.getHref() },
  { name: 'appearance', path: routes.appearance.getHref() },
  { name: 'preferences', path: routes.preferences.getHref() },
  { name: 'keys', path: routes.keys.getHref() },
  { name: 'usage', path: usagePath },
  { name: 'memory', path: routes.memory.getHref() },
  ...guestPlaces,
]

/** The chat with its selected models and the remaining credits. `chatId` is null for a new chat. */
export function Conversation({ chatId }: { chatId: string | null }) {
  const navigate = useNavigate()
  const { memory, overlay } = useChatMemory({
    chatId,
    chatPath: paths.chat,
    onSignIn: () => void navigate(paths.signIn),
  })
  const choice = useModelChoice()
  const image = useImageModel()
  const models = {
    model: choice.model,
    texts: choice.models,
    choose: choice.choose,
    image: image.model,
    images: image.models,
    chooseImage: image.choose,
  }
  return (
    <>
      <ChatPage
        chatId={chatId}
        models={models}
        modelsLoading={choice.status === 'loading'}
        modelPicker={<ModelPicker choice={choice} />}
        meter={(price) => <CreditMeter price={price} />}
        noCredits={<InsufficientCredits usagePath={usagePath} />}
        creditWarning={<CreditWarning usagePath={usagePath} />}
        paths={paths}
        memory={memory}
        palette={(close, commands) => (
          <Palette
            close={close}
            commands={commands}
            models={choice.guest ? [] : choice.models}
            model={choice.model?.id ?? null}
            chooseModel={choice.choose}
            chatPath={routes.savedChat.getHref}
            places={choice.guest ? guestPlaces : places}
            saved={chatId !== null}
          />
        )}
        share={(close, id) => <ShareDialog chatId={id} onClose={close} />}
        info={(close, facts) => (
          <InfoPanel
            close={close}
            facts={facts}
            textModel={choice.model?.name ?? null}
            imageModel={image.model?.name ?? null}
          />
        )}
      />
      {overlay}
    </>
  )
}
