import { AccountMenu } from '../features/account/index.ts'
import { AdminArea, prepareSection, SectionList } from '../features/admin/index.ts'
import { Frame } from '../shared/frame/index.ts'
import { LaterTexts } from '../shared/i18n/index.ts'
import { LiveStatus } from '../shared/live/index.ts'
import { Brand } from '../shared/ui/index.ts'
import { routes } from './routes.ts'

// While the texts load; a failure is handled when the section is rendered.
void prepareSection(location.pathname).catch(() => undefined)

/** The administration, in the same frame as the chat. */
export function AdminScreen() {
  return (
    <LaterTexts part="admin">
      <Frame
        sidebar={
          <>
            <SectionList brand={<Brand />} chatPath={routes.chat.getHref()} />
            <AccountMenu />
          </>
        }
      >
        <LiveStatus />
        <AdminArea />
      </Frame>
    </LaterTexts>
  )
}
