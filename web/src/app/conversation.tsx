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

const placesOf = (...names: PalettePlaces[number]['name'][]): PalettePlaces =>
  names.map((name) => ({ name, path: routes[name].getHref() }))
const guestPlaces = placesOf('docs', 'privacy')
const places = placesOf('profile', 'appearance', 'preferences', 'keys', 'usage', 'memory', 'docs', 'privacy')

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
  return (
    <>
      <ChatPage
        chatId={chatId}
        models={{ text: choice, image }}
        modelsLoading={!choice.hierarchy && !choice.isFailed}
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
