import type { ChatUsage } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import { chatUsageQuery } from '../../../shared/api/index.ts'
import { formatBytes } from '../../../shared/format.ts'
import { type Translate, useText } from '../../../shared/i18n/index.ts'
import { Loaded } from '../../../shared/loaded.tsx'
import { Box, classNames } from '../../../shared/ui/index.ts'
import { Section } from '../page.tsx'

/** Share of a limit from which it counts as near. */
const near = 0.9

/** The storage used by the user's chats, with its limits. */
export function StorageSection() {
  const { t, locale } = useText()
  const usage = useQuery(chatUsageQuery)
  return (
    <Section title={t('profile.storage.title')} lead={t('profile.storage.lead')}>
      <Box>
        <Loaded query={usage} failed={t('profile.storage.failed')} shape={['46%', '38%']} className="">
          {(data) => (
            <div className="flex flex-col gap-4">
              <Amount {...data.bytes} text={bytesText(data, t, locale)} />
              <Amount {...data.chats} text={chatsText(data, t)} />
            </div>
          )}
        </Loaded>
      </Box>
    </Section>
  )
}

function bytesText({ bytes: { used, limit } }: ChatUsage, t: Translate, locale: string): string {
  const taken = formatBytes(used, locale)
  return limit === null
    ? t('profile.storage.bytes', { used: taken })
    : t('profile.storage.bytesOf', { used: taken, limit: formatBytes(limit, locale) })
}

const chatsText = ({ chats: { used, limit } }: ChatUsage, t: Translate): string =>
  limit === null ? t('profile.storage.chats', { used }) : t('profile.storage.chatsOf', { used, limit })

/** One amount as text, with its share of the limit. */
function Amount({ used, limit, text }: ChatUsage['chats'] & { readonly text: string }) {
  const share = limit === null ? null : Math.min(1, limit === 0 ? 1 : used / limit)
  return (
    <div>
      <p className="tabular-nums">{text}</p>
      {share !== null && (
        <div aria-hidden="true" className="mt-2 h-1 overflow-hidden rounded-full bg-line-strong">
          <div
            className={classNames('h-full', share >= near ? 'bg-warn' : 'bg-brand')}
            style={{ width: `${Math.round(share * 100)}%` }}
          />
        </div>
      )}
    </div>
  )
}
