import { type Model, modelRoutes, type Principal } from '@parley/contracts'
import { etagOf, mount } from '@parley/kit'
import type { IRouter } from 'express'
import type { BreakerStates } from '../breaker-metrics.ts'
import { presentHierarchy, type Viewing } from '../present.ts'
import type { Providers } from '../providers.ts'
import type { Registry } from '../registry.ts'

export interface HierarchyDeps {
  readonly registry: Registry
  readonly breakers: BreakerStates
  readonly providers: Providers
}

/** The models for the picker, with an ETag. Admins see no locks. */
export function addHierarchyRoute(router: IRouter, { registry, breakers, providers }: HierarchyDeps): void {
  const present = rememberLast((models, viewing) => {
    const body = presentHierarchy(models, providers, viewing)
    return { body, etag: etagOf(JSON.stringify(body)) }
  })
  mount(router, modelRoutes.hierarchy, async ({ principal, headers }) => {
    const { body, etag } = present(await registry.models(), {
      seesAll: isAdmin(principal),
      unavailable: breakers.unavailable(),
    })
    const answer = { etag, 'cache-control': 'private, no-cache', vary: 'authorization' }
    if (sameTag(headers['if-none-match'], etag)) return { status: 304, headers: answer }
    return { body, headers: answer }
  })
}

type Presented = { readonly body: ReturnType<typeof presentHierarchy>; readonly etag: string }

type Present = (models: readonly Model[], viewing: Viewing) => Presented

/** Caches the two presentations of the latest list, because every open tab polls it. */
function rememberLast(present: Present): Present {
  const known = new Map<boolean, { models: readonly Model[]; unavailable: string; presented: Presented }>()
  return (models, viewing) => {
    const unavailable = [...viewing.unavailable].sort().join(' ')
    const last = known.get(viewing.seesAll)
    if (last?.models === models && last.unavailable === unavailable) return last.presented
    const presented = present(models, viewing)
    known.set(viewing.seesAll, { models, unavailable, presented })
    return presented
  }
}

/** Services choose models by the list, and admins see it as users do if they view the product as one. */
const isAdmin = (principal: Principal): boolean =>
  principal.kind === 'service' || (principal.kind === 'user' && principal.rights.isAdmin && principal.viewAs !== true)

/** A proxy may have weakened the tag. */
const sameTag = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
