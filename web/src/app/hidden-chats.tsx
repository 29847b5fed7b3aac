import { AccountMenu } from '../features/account/index.ts'
import { SectionList } from '../features/profile/index.ts'
import { Frame } from '../shared/frame/index.ts'
import { LaterTexts, useText } from '../shared/i18n/index.ts'
import { useSession } from '../shared/session/index.ts'
import { Brand, TextLink } from '../shared/ui/index.ts'
import { profilePaths, routes } from './routes.ts'

/** Shown instead of chats while an admin views the product as a user: users' text stays private. */
export const HiddenChats = () => (
  <LaterTexts part="panels">
    <Hidden />
  </LaterTexts>
)

function Hidden() {
  const { t } = useText()
  const name = useSession(({ user }) => user?.username ?? '')
  return (
    <Frame
      sidebar={
        <>
          <SectionList brand={<Brand />} paths={profilePaths} />
          <AccountMenu />
        </>
      }
    >
      <title>{`${t('viewing.chats.title')} · Parley`}</title>
      <div className="m-auto max-w-card p-6">
        <h1 className="text-xl font-semibold">{t('viewing.chats.title')}</h1>
        <p className="mt-1.5 mb-4 text-ink-2">{t('viewing.chats.text', { name })}</p>
        <TextLink to={routes.profile.getHref()}>{t('viewing.chats.profile')}</TextLink>
      </div>
    </Frame>
  )
}
