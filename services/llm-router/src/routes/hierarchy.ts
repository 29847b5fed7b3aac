import { type Model, modelRoutes, type Principal } from '@parley/contracts'
import { mount } from '@parley/kit'
import type { IRouter } from 'express'
import { etagOf, presentHierarchy } from '../present.ts'
import type { Providers } from '../providers.ts'
import type { Registry } from '../registry.ts'

/** What the list of models uses. */
export interface HierarchyDeps {
  readonly registry: Registry
  readonly providers: Providers
}

/** The models as people pick them, with an ETag. Admins see no locks. */
export function addHierarchyRoute(router: IRouter, { registry, providers }: HierarchyDeps): void {
  const present = rememberLast((models: readonly Model[], seesAll: boolean) => {
    const body = presentHierarchy(models, providers, seesAll)
    return { body, etag: etagOf(JSON.stringify(body)) }
  })
  mount(router, modelRoutes.hierarchy, async ({ principal, headers }) => {
    const { body, etag } = present(await registry.models(), isAdmin(principal))
    const answer = { etag, 'cache-control': 'private, no-cache', vary: 'authorization' }
    if (sameTag(headers['if-none-match'], etag)) return { status: 304, headers: answer }
    return { body, headers: answer }
  })
}

type Presented = { readonly body: ReturnType<typeof presentHierarchy>; readonly etag: string }

/** Keeps the two presentations of the newest list: every open tab asks for them again and again. */
function rememberLast(present: (models: readonly Model[], seesAll: boolean) => Presented): typeof present {
  const known = new Map<boolean, { models: readonly Model[]; presented: Presented }>()
  return (models, seesAll) => {
    const last = known.get(seesAll)
    if (last?.models === models) return last.presented
    const presented = present(models, seesAll)
    known.set(seesAll, { models, presented })
    return presented
  }
}

const isAdmin = (principal: Principal): boolean =>
  principal.kind === 'service' || (principal.kind === 'user' && principal.rights.isAdmin && principal.viewAs !== true)

/** A proxy on the way may have weakened the tag. */
const sameTag = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
