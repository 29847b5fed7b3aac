import { chatRoutes } from '@parley/contracts'
import { mount, readIdempotencyKey, unavailable } from '@parley/kit'
import type { IRouter } from 'express'
import { userOf } from '../callers.ts'
import type { RouteParts } from './route-parts.ts'

/** Making images. */
export function addImageRoutes(router: IRouter, { images, draining }: RouteParts): void {
  mount(router, chatRoutes.image, async ({ principal, requestId, body, headers }) => {
    if (draining()) throw unavailable()
    const key = readIdempotencyKey(headers['idempotency-key'])
    const request = { ...body, prompt: body.prompt.trim() }
    return { body: await images.make({ ...userOf(principal), requestId }, request, key) }
  })
}
