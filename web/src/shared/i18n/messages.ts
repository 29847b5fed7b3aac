/** The English catalogues. Add new catalogue files here. */
type Catalogs = [
  typeof import('../../locales/en/admin/admin.json'),
  typeof import('../../locales/en/admin/audit.json'),
  typeof import('../../locales/en/admin/health.json'),
  typeof import('../../locales/en/admin/limits.json'),
  typeof import('../../locales/en/admin/money.json'),
  typeof import('../../locales/en/admin/overview.json'),
  typeof import('../../locales/en/admin/people.json'),
  typeof import('../../locales/en/admin/plans.json'),
  typeof import('../../locales/en/admin/registry.json'),
  typeof import('../../locales/en/admin/settings.json'),
  typeof import('../../locales/en/admin/tiers.json'),
  typeof import('../../locales/en/deferred/account.json'),
  typeof import('../../locales/en/deferred/chat.json'),
  typeof import('../../locales/en/deferred/composer.json'),
  typeof import('../../locales/en/deferred/credits.json'),
  typeof import('../../locales/en/deferred/history.json'),
  typeof import('../../locales/en/deferred/info.json'),
  typeof import('../../locales/en/deferred/live.json'),
  typeof import('../../locales/en/deferred/memory.json'),
  typeof import('../../locales/en/deferred/models.json'),
  typeof import('../../locales/en/deferred/palette.json'),
  typeof import('../../locales/en/deferred/sharing.json'),
  typeof import('../../locales/en/deferred/thread.json'),
  typeof import('../../locales/en/deferred/viewing.json'),
  typeof import('../../locales/en/docs/docs.json'),
  typeof import('../../locales/en/initial/auth.json'),
  typeof import('../../locales/en/initial/shared.json'),
  typeof import('../../locales/en/panels/chat.json'),
  typeof import('../../locales/en/panels/composer.json'),
  typeof import('../../locales/en/panels/history.json'),
  typeof import('../../locales/en/panels/info.json'),
  typeof import('../../locales/en/panels/keys.json'),
  typeof import('../../locales/en/panels/memory.json'),
  typeof import('../../locales/en/panels/palette.json'),
  typeof import('../../locales/en/panels/privacy.json'),
  typeof import('../../locales/en/panels/profile.json'),
  typeof import('../../locales/en/panels/sharing.json'),
  typeof import('../../locales/en/panels/usage.json'),
  typeof import('../../locales/en/panels/viewing.json'),
  typeof import('../../locales/en/share/share.json'),
]

type IdOf<Catalog> = Catalog extends { default: infer Messages } ? keyof Messages : keyof Catalog

/** Every id of the English catalogues; an unknown one is a type error. */
export type MessageId = IdOf<Catalogs[number]> & string

export type MessageValues = Readonly<Record<string, string | number | Date>>
