import type account from '../../locales/en/account.json'
import type auth from '../../locales/en/auth.json'
import type chat from '../../locales/en/chat.json'
import type composer from '../../locales/en/composer.json'
import type credits from '../../locales/en/credits.json'
import type history from '../../locales/en/history.json'
import type info from '../../locales/en/info.json'
import type live from '../../locales/en/live.json'
import type models from '../../locales/en/models.json'
import type palette from '../../locales/en/palette.json'
import type shared from '../../locales/en/shared.json'
import type thread from '../../locales/en/thread.json'

type Catalog = typeof account &
  typeof auth &
  typeof chat &
  typeof composer &
  typeof credits &
  typeof history &
  typeof info &
  typeof live &
  typeof models &
  typeof palette &
  typeof shared &
  typeof thread

/** Every id of the English catalogs; an unknown one is a type error. A new catalog file is added to the union here. */
export type MessageId = keyof Catalog & string

/** What a message's placeholders are filled with. */
export type MessageValues = Readonly<Record<string, string | number | Date>>
