import type account from '../../locales/en/account.json'
import type auth from '../../locales/en/auth.json'
import type chat from '../../locales/en/chat.json'
import type credits from '../../locales/en/credits.json'
import type history from '../../locales/en/history.json'
import type models from '../../locales/en/models.json'
import type shared from '../../locales/en/shared.json'

type Catalog = typeof account &
  typeof auth &
  typeof chat &
  typeof credits &
  typeof history &
  typeof models &
  typeof shared

/** Every id of the English catalogs; an unknown one is a type error. A new catalog file is added to the union here. */
export type MessageId = keyof Catalog & string

/** What a message's placeholders are filled with. */
export type MessageValues = Readonly<Record<string, string | number | Date>>
