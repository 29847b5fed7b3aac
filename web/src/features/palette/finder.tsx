import type { ChatSummary, HierarchyModel } from '@parley/contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { type LucideIcon, MessageSquare, Settings, Sparkles, SunMoon } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from 'react-router-dom'
import { historyQuery, listedChats, messageOf } from '../../shared/api/index.ts'
import { Highlighted, useChatSearch } from '../../shared/chats/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { type KeyCombination, useShortcutKeys } from '../../shared/keyboard/index.ts'
import { labelled } from '../../shared/labelled.ts'
import { useSession } from '../../shared/session/index.ts'
import { chooseTheme } from '../../shared/theme/synced-theme.ts'
import { themeNames } from '../../shared/theme/theme.ts'
import { Kbd, notify } from '../../shared/ui/index.ts'
import { type CommandName, type CommandRunner, commandEntries } from './command-entries.ts'
import { FieldBox, fieldLook, maxQuery } from './field-box.tsx'
import { matchesWords } from './matches-words.ts'

const placeLabels = {
  profile: 'profile.tab.profile',
  appearance: 'profile.tab.appearance',
  preferences: 'profile.tab.preferences',
  keys: 'profile.tab.keys',
  usage: 'profile.tab.usage',
  memory: 'profile.tab.memory',
  docs: 'account.docs',
  privacy: 'account.privacy',
} as const

/** The pages that the palette links to. */
export type PalettePlaces = readonly {
  readonly name: keyof typeof placeLabels
  readonly path: string
}[]

export interface FinderInput {
  readonly close: () => void
  readonly commands: CommandRunner
  /** Selectable text models; none for guests. */
  readonly models: readonly HierarchyModel[]
  readonly model: string | null
  readonly chooseModel: (id: string) => void
  readonly chatPath: (chatId: string) => string
  readonly places: PalettePlaces
  /** The open chat is stored on the server. */
  readonly saved: boolean
}

interface Props extends FinderInput {
  readonly query: string
  readonly onQuery: (query: string) => void
}

/** Number of chats listed before anything is typed. */
const recent = 6

/** The field with its results: arrow keys move, Enter selects. */
export function Finder(props: Props) {
  const { query, onQuery, close, commands, models, model, chooseModel, chatPath, places, saved } = props
  const { t, locale } = useText()
  const navigate = useNavigate()
  /** Not every command has a shortcut. */
  const keys: Partial<Record<CommandName, KeyCombination>> = useShortcutKeys()
  const { chats, pending, error } = useFoundChats(query)
  const hasFailed = !pending && error !== null
  const entry = (act: () => unknown) => () => {
    // Closed first: it gives the focus back, which the act may move on.
    flushSync(close)
    act()
  }
  const wanted = (name: string): boolean => matchesWords(name, query)
  const shownModels = query === '' ? [] : models.filter(({ name, id, locked }) => !locked && wanted(`${name} ${id}`))
  const shownCommands = commandEntries.filter(
    ({ label, name }) => wanted(t(label)) && (saved || (name !== 'export' && name !== 'print')),
  )
  const shownThemes =
    query === '' ? [] : themeNames.filter((name) => wanted(`${t('account.theme')} ${t(`account.theme.${name}`)}`))
  const shownPlaces =
    query === '' ? [] : places.filter(({ name }) => wanted(`${t('account.settings')} ${t(placeLabels[name])}`))
  return (
    <Command shouldFilter={false} loop label={t('palette.label')}>
      <Field query={query} onQuery={onQuery} />
      <Command.List
        label={t('palette.results')}
        className="max-h-[min(26rem,60dvh)] overflow-y-auto overscroll-contain p-1.5"
      >
        <Group heading={t('palette.chats')} some={chats.length > 0}>
          {chats.map((chat) => (
            <Entry
              key={chat._id}
              value={`chat:${chat._id}`}
              icon={MessageSquare}
              onSelect={entry(() => navigate(addressOf(chatPath(chat._id), chat, query)))}
            >
              <ChatEntry chat={chat} query={query} />
            </Entry>
          ))}
        </Group>
        <Group heading={t('composer.commands.title')} some={shownCommands.length > 0}>
          {shownCommands.map(({ name, label, icon }) => (
            <Entry key={name} value={`command:${name}`} icon={icon} onSelect={entry(commands[name])}>
              <span className="flex-1 truncate">{t(label)}</span>
              {keys[name] && (
                <span className="pointer-coarse:hidden">
                  <Kbd keys={keys[name]} />
                </span>
              )}
            </Entry>
          ))}
        </Group>
        <Group heading={t('palette.models')} some={shownModels.length > 0}>
          {shownModels.map(({ id, name }) => (
            <Entry key={id} value={`model:${id}`} icon={Sparkles} onSelect={entry(() => chooseModel(id))}>
              <span className="flex-1 truncate">
                <bdi>{name}</bdi>
              </span>
              {id === model && <span className="text-2xs text-ink-3">{t('palette.current')}</span>}
            </Entry>
          ))}
        </Group>
        <Group heading={t('account.settings')} some={shownThemes.length + shownPlaces.length > 0}>
          {shownPlaces.map(({ name, path }) => (
            <Entry key={name} value={`place:${name}`} icon={Settings} onSelect={entry(() => navigate(path))}>
              {t(placeLabels[name])}
            </Entry>
          ))}
          {shownThemes.map((name) => (
            <Entry
              key={name}
              value={`theme:${name}`}
              icon={SunMoon}
              onSelect={entry(() => void chooseTheme(name).catch(() => notify.error((now) => now('account.notKept'))))}
            >
              {labelled(t('account.theme'), locale, t(`account.theme.${name}`))}
            </Entry>
          ))}
        </Group>
      </Command.List>
      {/* Outside of the list, which may contain only options. */}
      <Command.Empty className="px-3 pt-5 pb-8 text-center text-ink-2 text-sm">
        {!hasFailed && t(pending ? 'history.searching' : 'palette.empty')}
      </Command.Empty>
      <p role="alert" className="px-4 pt-1 pb-4 text-ink-2 text-sm empty:hidden">
        {hasFailed && messageOf(error, t('history.searchFailed'))}
      </p>
    </Command>
  )
}

function Field({ query, onQuery }: Pick<Props, 'query' | 'onQuery'>) {
  const { t } = useText()
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    const end = input.current?.value.length ?? 0
    input.current?.focus()
    // After the text typed while this was loading.
    input.current?.setSelectionRange(end, end)
  }, [])
  return (
    <FieldBox>
      <Command.Input
        ref={input}
        value={query}
        onValueChange={onQuery}
        maxLength={maxQuery}
        dir="auto"
        placeholder={t('palette.placeholder')}
        className={fieldLook}
      />
    </FieldBox>
  )
}

/** The URL of a found chat, at the matching message. */
const addressOf = (path: string, { match }: ChatSummary, query: string): string =>
  match ? `${path}?${new URLSearchParams({ m: match.messageId, q: query })}` : path

/** The list starts with pinned chats, which may be old. */
const newestOf = (chats: readonly ChatSummary[]): ChatSummary[] =>
  chats.toSorted((one, other) => Date.parse(other.updatedAt) - Date.parse(one.updatedAt))

function useFoundChats(query: string): { chats: readonly ChatSummary[]; pending: boolean; error: unknown } {
  const signedIn = useSession((state) => state.token !== null)
  const search = useChatSearch(query, { enabled: signedIn })
  const { data: listed = [] } = useInfiniteQuery({ ...historyQuery, select: listedChats, enabled: signedIn })
  if (query.trim() === '') return { chats: newestOf(listed).slice(0, recent), pending: false, error: null }
  const { chats = [], pending, error } = search
  const shown = pending ? chats.filter((chat) => stillFits(chat, query)) : chats
  return { chats: shown, pending: signedIn && pending, error }
}

/** Whether a chat that was found for an earlier query shows what is typed by now: Enter would open one that does not, instead of a command that does. */
const stillFits = ({ title, match }: ChatSummary, query: string): boolean =>
  matchesWords(`${title} ${match?.snippet ?? ''}`, query)

function ChatEntry({ chat, query }: { chat: ChatSummary; query: string }) {
  return (
    <span className="min-w-0 flex-1 py-1">
      <span dir="auto" className="block w-fit max-w-full truncate">
        <Highlighted text={chat.title} query={query} />
      </span>
      {chat.match && (
        <span dir="auto" className="line-clamp-1 text-ink-2 text-sm">
          <Highlighted text={chat.match.snippet} query={query} />
        </span>
      )}
    </span>
  )
}

function Group({ heading, some, children }: { heading: string; some: boolean; children: ReactNode }) {
  if (!some) return null
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-2xs [&_[cmdk-group-heading]]:text-ink-3"
    >
      {children}
    </Command.Group>
  )
}

interface EntryProps {
  readonly value: string
  /** Indicates the kind of entry, and aligns all labels. */
  readonly icon: LucideIcon
  readonly onSelect: () => void
  readonly children: ReactNode
}

function Entry({ value, icon: Icon, onSelect, children }: EntryProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-10 cursor-pointer items-center gap-3 rounded-row px-2.5 data-[selected=true]:bg-active forced-colors:-outline-offset-1 forced-colors:data-[selected=true]:outline pointer-coarse:min-h-11"
    >
      <Icon className="size-4.5 shrink-0 text-ink-2" />
      {children}
    </Command.Item>
  )
}
